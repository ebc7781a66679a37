#!/usr/bin/env bash
# verify-webhook.sh HEADER SECRET NOW < body: exits with 0 when a body was signed with the secret
# within five minutes of NOW, in seconds. Needs openssl.
set -euo pipefail
header=$1 secret=$2 now=$3

time=$(grep -oE '(^|,)t=[0-9]+' <<<"$header" | grep -oE '[0-9]+') || exit 1
age=$((now - time))
[ "${age#-}" -le 300 ] || exit 1
expected=$({ printf '%s.' "$time"; cat; } | openssl dgst -sha256 -hmac "$secret" | awk '{ print $NF }')
tr ',' '\n' <<<"$header" | grep -qxF "v1=$expected"
