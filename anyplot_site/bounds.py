"""Every limit and its default.

The only place where a number of policy lives. It imports nothing, and every room may import it.
Names end in their unit: `_S` seconds, `_MS` milliseconds, `_BYTES` bytes, `_MIB` mebibytes.
Those that an operator may change have a setting of the same meaning in `settings.py`.
"""

from typing import Final

# fmt: off

# --- bodies and tables ----------------------------------------------------------------------
PASTE_BYTES: Final = 200_000                # pasted text, UTF-8
FILE_BYTES: Final = 10_000_000              # an uploaded file
BODY_BYTES: Final = 11_000_000              # a request body: the largest file and its multipart wrapping
BODY_DRAIN_BYTES: Final = 32_000_000        # read and thrown away before a 413, so that the client hears it
TABLE_ROWS: Final = 200_000
TABLE_COLUMNS: Final = 200
CELL_BYTES: Final = 1_000_000
TABLE_CELLS: Final = 5_000_000              # of a workbook sheet's used area: a text file of 10 MB holds no more
WORKBOOK_BYTES: Final = 100_000_000         # a workbook unpacked
WORKBOOK_COUNT_S: Final = 10                # counting its cells before it is read
WORKBOOK_READ_S: Final = 20                 # reading it, in a process of its own
WORKBOOK_MEMORY_MIB: Final = 2_048          # that process's address space
WORKBOOK_ROWS_BYTES: Final = 200_000_000    # its answer: the rows as JSON
HTML_CHARACTERS: Final = 2_000_000          # markup around a table, which may be far more than the table
HTML_CELLS: Final = 1_000_000               # of all its tables, with spans spread out
PREVIEW_ROWS: Final = 20
PAGE_ITEMS_DEFAULT: Final = 50
PAGE_ITEMS_MAX: Final = 500
COLOR_ROLE_VALUES: Final = 8                # more values than this are not proposed for a color role
CATEGORY_NUMBER_VALUES: Final = 24          # a number column with at most this many values may be a category
TYPE_FIT_SHARE: Final = 0.9                 # a column has a type when this share of its cells fits
TEXT_VALUES: Final = 200                    # more different words than this, hardly repeated, are text, not categories
TEXT_CELL_CHARACTERS: Final = 60            # words longer than this on average are text
SAMPLE_VALUES: Final = 5                    # values of a column shown in its summary
NOTE_ROWS: Final = 20                       # row numbers listed in one note
NAME_CHARACTERS: Final = 120                # names of sessions, data sets, tokens
TEXT_CHARACTERS: Final = 4_000              # a message in plain words
LABEL_CHARACTERS: Final = 300               # a title or an axis label
OPERATIONS: Final = 50                      # operations in one message

# --- queue ----------------------------------------------------------------------------------
RUN_CONCURRENCY: Final = 1                  # QU2
RUNS_PER_MINUTE_EMBEDDED: Final = 60        # QU3
RUNS_PER_MINUTE_PRODUCTION: Final = 1
RATE_WINDOW_S: Final = 60.0
QUEUE_MAX_WAIT_S: Final = 600               # QU4
QUEUE_CAPACITY_UNLIMITED: Final = 1_000     # QU5, when the rate is 0
BATCH_MAX: Final = 1_000                    # QU16
BATCH_EVERY: Final = 4                      # QU16: every fourth start is the batch lane's
REQUEST_DEADLINE_S: Final = 180             # QU9
REQUEST_TIMEOUT_S: Final = 190              # PR5
HEARTBEAT_S: Final = 15                     # PR1
TURN_MAX_S: Final = 890                     # PR4
TURN_MAX_CEILING_S: Final = 900             # PR4: HTTP time-outs must be at least this
LEASE_S: Final = 30                         # a run's or render's lease
LEASE_BEAT_S: Final = 5
LEASE_FENCE_S: Final = 20                   # without a confirmed beat a worker stops itself
RUN_ATTEMPTS: Final = 2                     # claimed at most this often: one requeue at the old place
UNCLAIMED_RESEND_S: Final = 3               # a dispatched turn that no worker claimed is sent again
PRESENCE_GRACE_S: Final = 10                # a reload keeps its place this long
PRESENCE_POLL_S: Final = 30                 # a polling page counts as present this long
TICK_S: Final = 1.0                         # how often an idle process looks at the queue
CLOCK_JUMP_S: Final = 60                    # a larger jump of the clock re-bases the waits
WORKER_BEAT_S: Final = 5
WORKER_GONE_S: Final = 45                   # also: waiting turns of a dead web process are withdrawn after this
PRESENCE_BEAT_S: Final = 5                  # shorter than the grace: another open page keeps the place
RUN_LOOK_S: Final = 0.5                     # how often a run looks whether it was stopped
RUN_OVERRUN_S: Final = 10                   # a run still busy so long after its deadline is ended from outside
STREAM_LOOK_S: Final = 1.0                  # a process looks after all its streams this often, beside the nudges
STREAM_LOOK_ALONE_S: Final = 0.5            # the same without a key-value server
KV_TIMEOUT_S: Final = 1.0                   # a silent key-value server holds nobody up for longer
START_KEEP_S: Final = 3_600                 # rows of the rate window are kept this long
BATCH_WAIT_S: Final = 315_360_000           # QU16: no maximum wait (ten years)
SERVICE_S: Final = 3.0                      # a run's time, while none has been measured
SERVICE_RUNS: Final = 20                    # measured over this many recent runs

# --- budget ---------------------------------------------------------------------------------
DAILY_RUNS_PRODUCTION: Final = 200          # BU1; none in embedded
GUESTS_PER_HOUR: Final = 20                 # EX5, in production

# --- renderer -------------------------------------------------------------------------------
RENDER_CONCURRENCY: Final = 1               # SL1
RENDER_WALL_S: Final = 60                   # RE3
RENDER_CPU_S: Final = 60
RENDER_MEMORY_MIB: Final = 2_048
RENDER_FILE_BUDGET_MIB: Final = 64
RENDER_ENTRIES: Final = 10_000
RENDER_SCRATCH_MIB: Final = 512
RENDER_HOST_MEMORY_FLOOR_MIB: Final = 512
RENDER_OUTPUT_BYTES: Final = 64_000         # stdout and stderr kept
RENDER_PROBE_BYTES: Final = 4_000_000
RENDER_PICTURE_BYTES: Final = 32_000_000
RENDER_PIXELS: Final = 40_000_000           # checked in the header, before a picture is decoded
RENDER_LAUNCH_ATTEMPTS: Final = 2           # RE6
RENDER_KILL_CONFIRM_S: Final = 5            # a killed sandbox must be seen gone within this
RENDER_WAIT_S: Final = 120                  # SL3: deadline - render timeout
RENDER_POLL_S: Final = 0.25                 # the safety poll beside the nudge
RENDER_WATCH_S: Final = 0.05                # the watchdog's rhythm
RENDER_LAUNCH_S: Final = 20                 # from the launcher to the script's first line: imports
RENDER_OPEN_FILES: Final = 256
RENDER_PROBE_DEPTH: Final = 32              # nesting of the measurements
RENDER_FONTS_BYTES: Final = 16_000_000      # matplotlib's font list
RENDER_FONTS_S: Final = 120                 # building that list, once
RENDER_SHOWN_BYTES: Final = 8_000           # the end of what a script printed, as a person sees it
RENDER_CHECK_S: Final = 30                  # a sandbox that could not be had is tried again after this
RENDER_FILES_KEEP_S: Final = 600            # files of a finished render that nobody took
RENDER_ATTEMPTS: Final = 2                  # a render whose worker died goes back to its place once
TOGGLE_TRIES: Final = 2                     # TO5
SCRIPT_BYTES: Final = 200_000
PREVIEW_BYTES: Final = 25_000               # a committed picture of the gallery
PREVIEW_WIDTHS_PX: Final = (640, 320)
CATALOGUE_LOOK_S: Final = 1                 # how old the picture of the catalogue's folders may be

# --- canvas and gates -----------------------------------------------------------------------
CANVAS_LANDSCAPE_PX: Final = (3200, 1800)
CANVAS_SQUARE_PX: Final = (2400, 2400)
CANVAS_DPI: Final = 400
CANVAS_PAD_PX: Final = 16                   # R3: off by at most this is padded
INK_SHARE_MIN: Final = 0.002                # G1
DATA_INK_PX: Final = 30                     # G1: a data area with fewer pixels that stand out is bare
VALUE_TOLERANCE: Final = 1e-9               # G2: relative to the largest value drawn
SHARE_TOLERANCE: Final = 1e-5               # G2: of a whole; matplotlib keeps angles of a pie in single precision
TEXT_OVERLAP_PX: Final = 2.0                # G4: boxes may touch by this much
GATE_PAIRS: Final = 20_000                  # G4: comparisons of turned boxes before "at least" is said
TEXT_EDGE_PX: Final = 0.5                   # G3: anti-aliasing at the border
REPAIR_WRAP_LINES: Final = 3                # a label on the x axis is broken into at most this many lines
REPAIR_LABEL_SHARE: Final = 0.42            # of the picture's height or width that turned or long labels may take
REPAIR_UPRIGHT_SHARE: Final = 0.5           # upright labels that take more of the height leave hardly any plot
REPAIR_PLOT_SHARE: Final = 0.78             # of the picture's height that rows of a plot on its side share
REPAIR_EVERY_LEVEL: Final = 3               # level labels are thinned to every third at most; else they are turned
REPAIR_MARGIN_PX: Final = 24                # beyond what was measured
REPAIR_MARGIN_SHARE_MAX: Final = 0.3
REPAIR_TITLE_SLACK: Final = 0.97
TITLE_FLOOR_PT: Final = 8

# --- connections ----------------------------------------------------------------------------
SOCKETS_PER_USER: Final = 20
SOCKET_MESSAGE_BYTES: Final = 16_384
GUEST_TOKEN_DAYS: Final = 30

# --- process family -------------------------------------------------------------------------
RESTART_BACKOFF_S: Final = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
RESTART_CALM_S: Final = 30                  # a child that lived this long starts the back-off anew
STOP_GRACE_S: Final = 10
START_LIMIT_S: Final = 60                   # a site that does not serve by then is given up, with a sentence
LOG_BYTES: Final = 10_000_000               # a longer log is set aside (one older one is kept) when its process starts
LISTEN_BACKLOG: Final = 128
HSTS_S: Final = 31_536_000                  # a year: what browser lists ask for

# --- operators ------------------------------------------------------------------------------
ADMIN_THUMBNAIL_PX: Final = 320
ADMIN_CANCEL_MAX: Final = 200               # turns stopped by one press
TOKEN_DAYS_MAX: Final = 3_650
