"""A middleware that breaks when it is asked to."""


class Broken:
    """Raises on a request with the header `X-Break`."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        """Break, or pass the request on."""
        if request.headers.get("X-Break"):
            raise RuntimeError("broken outside")
        return self.get_response(request)
