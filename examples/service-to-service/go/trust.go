package main

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// trust is what a callee trusts: the certificate authorities of an account and their CRLs, refreshed regularly.
// A file that is missing, incomplete or expired is not trusted.
type trust struct {
	pkiURL      string
	subjects    []string
	client      http.Client
	authorities atomic.Pointer[[]authority]
}

type authority struct {
	certificate *x509.Certificate
	list        *x509.RevocationList
}

func newTrust(pkiURL string, subjects []string) *trust {
	return &trust{pkiURL: pkiURL, subjects: subjects, client: http.Client{Timeout: 10 * time.Second}}
}

// refresh changes nothing if a file cannot be fetched or the files do not match.
func (t *trust) refresh() error {
	bundle, err := t.fetch("ca.pem", "CERTIFICATE")
	if err != nil {
		return err
	}
	lists, err := t.fetch("crl.pem", "X509 CRL")
	if err != nil {
		return err
	}
	// The service writes both in the same order: one CRL for each certificate authority.
	if len(bundle) == 0 || len(bundle) != len(lists) {
		return errors.New("cannot use the authorities: there is not one revocation list for each")
	}
	authorities := make([]authority, len(bundle))
	for i := range bundle {
		certificate, err := x509.ParseCertificate(bundle[i])
		if err != nil {
			return err
		}
		list, err := x509.ParseRevocationList(lists[i])
		if err != nil {
			return err
		}
		if err := list.CheckSignatureFrom(certificate); err != nil {
			return err
		}
		if list.NextUpdate.Before(time.Now()) {
			return errors.New("cannot use a revocation list: it is out of date")
		}
		authorities[i] = authority{certificate, list}
	}
	t.authorities.Store(&authorities)
	return nil
}

// refusal says why the first of these certificates is not allowed now; nil if it is.
func (t *trust) refusal(presented []*x509.Certificate) error {
	if len(presented) == 0 {
		return errors.New("no certificate")
	}
	leaf := presented[0]
	issuer := t.issuerOf(leaf)
	if issuer == nil {
		return errors.New("a certificate of another authority, or one that is over or not for clients")
	}
	// Go accepts a certificate without a usage for every usage.
	if leaf.IsCA || !slices.Contains(leaf.ExtKeyUsage, x509.ExtKeyUsageClientAuth) {
		return errors.New("a certificate that is not for clients")
	}
	if time.Now().After(issuer.list.NextUpdate) {
		return errors.New("a certificate whose revocation list is out of date")
	}
	for _, entry := range issuer.list.RevokedCertificateEntries {
		if entry.SerialNumber.Cmp(leaf.SerialNumber) == 0 {
			return errors.New("a revoked certificate")
		}
	}
	// As RFC 4514 writes it: CN=billing,OU=Services,O=Corp.
	if subject := leaf.Subject.String(); !slices.Contains(t.subjects, subject) {
		return fmt.Errorf("a certificate of %s", subject)
	}
	return nil
}

// issuerOf verifies the chain, the dates and the usage.
func (t *trust) issuerOf(leaf *x509.Certificate) *authority {
	for _, each := range *t.authorities.Load() {
		roots := x509.NewCertPool()
		roots.AddCert(each.certificate)
		options := x509.VerifyOptions{Roots: roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
		if _, err := leaf.Verify(options); err == nil {
			return &each
		}
	}
	return nil
}

// fetch returns the blocks of a PEM file of the account.
func (t *trust) fetch(file, label string) ([][]byte, error) {
	answer, err := t.client.Get(strings.TrimSuffix(t.pkiURL, "/") + "/" + file)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("cannot fetch %s: %s", file, answer.Status)
	}
	rest, err := io.ReadAll(io.LimitReader(answer.Body, 64<<20))
	if err != nil {
		return nil, err
	}
	var blocks [][]byte
	for {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			return blocks, nil
		}
		if block.Type != label {
			return nil, fmt.Errorf("cannot use %s: it has a %s", file, block.Type)
		}
		blocks = append(blocks, block.Bytes)
	}
}
