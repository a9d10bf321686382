#!/usr/bin/env bash
# Installs what judges deploy/ and what stands in for Let's Encrypt, which the tests use where they find it:
# helm, kubeconform, promtool and Pebble, built by Go, and the schemas of Kubernetes, a Python package.
set -euo pipefail

go install helm.sh/helm/v3/cmd/helm@v3.16.4
go install github.com/yannh/kubeconform/cmd/kubeconform@v0.6.7
go install github.com/letsencrypt/pebble/v2/cmd/{pebble,pebble-challtestsrv}@v2.10.1

# Its module replaces modules that it needs, which go install refuses.
promtool=github.com/prometheus/prometheus/cmd/promtool
bin=$(go env GOPATH)/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
go mod init tools
go get -tool $promtool@v0.305.0
go build -o "$bin/" $promtool

python3 -m pip install --no-deps kubernetes-validate==1.37.0
echo "Put $bin on the PATH."
