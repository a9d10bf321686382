#!/bin/sh
# Fetches the CA certificates of an account and their CRLs for nginx, and reloads nginx. Run it before nginx starts, and
# then every minute (a systemd timer, cron). If it fails, the previous files stay: each CRL says when it expires.
#
#   PKI_URL=https://control.example.com/pki/acc_… FOLDER=/etc/callee PID_FILE=/run/callee/nginx.pid ./refresh.sh
set -eu
: "${PKI_URL:?}" "${FOLDER:?}" "${PID_FILE:?}"

for file in ca.pem crl.pem; do
  curl --fail --silent --show-error --max-time 10 --output "$FOLDER/$file.new" "$PKI_URL/$file"
done
# Checks that each CRL is signed by one of these certificate authorities, and that no file is empty. openssl reports its
# result only as text.
rm -f "$FOLDER"/crl.pem.part.*
awk -v part="$FOLDER/crl.pem.part." '/-----BEGIN X509 CRL-----/ { n++ } n > 0 { print > (part n) }' "$FOLDER/crl.pem.new"
verified=0
for part in "$FOLDER"/crl.pem.part.*; do
  if ! openssl crl -in "$part" -CAfile "$FOLDER/ca.pem.new" -noout 2>&1 | grep -q '^verify OK'; then
    verified=0
    break
  fi
  verified=$((verified + 1))
done
rm -f "$FOLDER"/crl.pem.part.*
if [ "$verified" -eq 0 ]; then
  echo "refresh.sh: a revocation list does not verify; the files of before stay" >&2
  exit 1
fi
if cmp -s "$FOLDER/ca.pem.new" "$FOLDER/ca.pem" && cmp -s "$FOLDER/crl.pem.new" "$FOLDER/crl.pem"; then
  exit 0
fi
mv "$FOLDER/ca.pem.new" "$FOLDER/ca.pem"
mv "$FOLDER/crl.pem.new" "$FOLDER/crl.pem"
if [ -s "$PID_FILE" ]; then
  kill -HUP "$(cat "$PID_FILE")"
fi
