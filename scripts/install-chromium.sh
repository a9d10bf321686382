#!/usr/bin/env bash
# Installs Debian's Chromium for the browser tests when it is missing.
set -euo pipefail
if command -v chromium >/dev/null; then exit 0; fi
if [ "$(id -u)" -ne 0 ]; then
  echo "error: the browser tests need Chromium, and installing it needs root" >&2
  echo "hint: run 'sudo apt-get install chromium', then 'npm test' again" >&2
  exit 1
fi
echo "Installing Chromium from Debian for the browser tests …" >&2
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
