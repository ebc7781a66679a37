import hashlib
import hmac
import sys
import time

TOLERANCE_S = 300


def verify_signature(header: str, raw_body: bytes, secret: str, now: float | None = None) -> bool:
    """Whether a body was signed with the secret within five minutes of `now`, in seconds."""
    parts = [part.partition("=")[::2] for part in header.split(",")]
    sent_at = next((value for name, value in parts if name == "t"), "")
    now = time.time() if now is None else now
    if not sent_at.isdigit() or abs(now - int(sent_at)) > TOLERANCE_S:
        return False
    message = sent_at.encode() + b"." + raw_body
    expected = hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
    return any(name == "v1" and hmac.compare_digest(value, expected) for name, value in parts)


# python3 verify_webhook.py HEADER SECRET NOW < body
if __name__ == "__main__":
    header, secret, now = sys.argv[1:4]
    sys.exit(0 if verify_signature(header, sys.stdin.buffer.read(), secret, float(now)) else 1)
