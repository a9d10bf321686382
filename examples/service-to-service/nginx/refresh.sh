#!/bin/sh
# Brings the authorities of an account and their revocation lists to where nginx reads them, and has it read them. Run it
# before nginx starts, and then each minute (a systemd timer, cron). When it fails, the files of before stay: the lists say
# themselves until when they are good.
#
#   PKI_URL=https://control.example.com/pki/acc_… FOLDER=/etc/callee PID_FILE=/run/callee/nginx.pid ./refresh.sh
set -eu
: "${PKI_URL:?}" "${FOLDER:?}" "${PID_FILE:?}"

for file in ca.pem crl.pem; do
  curl --fail --silent --show-error --max-time 10 --output "$FOLDER/$file.new" "$PKI_URL/$file"
done
# Never a list that none of these authorities signed, nor an empty file: each of the lists is looked at, and openssl says what it
# found in words alone.
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
