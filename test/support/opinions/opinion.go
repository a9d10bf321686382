// Reads certificates with Go's own parser, checks them as a Go server would check a client's, and says what it found as
// JSON. opinion FOLDER: ca.pem, crl.pem, and leaves leaf-*.pem.
package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

type opinion struct {
	Version        int      `json:"version"`
	Subject        string   `json:"subject"`
	Serial         string   `json:"serial"`
	NotBefore      int64    `json:"notBefore"`
	NotAfter       int64    `json:"notAfter"`
	Key            string   `json:"key"`
	Ca             bool     `json:"ca"`
	Usages         []string `json:"usages"`
	ClientAuthOnly bool     `json:"clientAuthOnly"`
	Emails         []string `json:"emails"`
	Extensions     []string `json:"extensions"`
	Critical       []string `json:"critical"`
	Revoked        bool     `json:"revoked"`
}

func main() {
	folder := os.Args[1]
	ca := must(x509.ParseCertificate(block(filepath.Join(folder, "ca.pem"))))
	if !ca.IsCA || ca.MaxPathLen != 0 || !ca.MaxPathLenZero {
		panic("the authority may have others below it")
	}
	crl := must(x509.ParseRevocationList(block(filepath.Join(folder, "crl.pem"))))
	check(crl.CheckSignatureFrom(ca))
	found := map[string]opinion{}
	for _, file := range must(filepath.Glob(filepath.Join(folder, "leaf-*.pem"))) {
		leaf := must(x509.ParseCertificate(block(file)))
		found[strings.TrimSuffix(filepath.Base(file), ".pem")] = judge(leaf, ca, crl)
	}
	fmt.Println(string(must(json.Marshal(found))))
}

func judge(leaf, ca *x509.Certificate, crl *x509.RevocationList) opinion {
	roots := x509.NewCertPool()
	roots.AddCert(ca)
	_, err := leaf.Verify(x509.VerifyOptions{
		Roots:       roots,
		KeyUsages:   []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		CurrentTime: time.Unix(leaf.NotBefore.Unix()+1, 0).Add(time.Hour),
	})
	check(err)
	said := opinion{
		Version:   leaf.Version,
		Subject:   leaf.Subject.String(),
		Serial:    fmt.Sprintf("%034X", leaf.SerialNumber),
		NotBefore: leaf.NotBefore.Unix(),
		NotAfter:  leaf.NotAfter.Unix(),
		Key:       keyName(leaf.PublicKey),
		Ca:        leaf.IsCA,
		Emails:    append([]string{}, leaf.EmailAddresses...),
		Usages:    []string{},
		Critical:  []string{},
	}
	if leaf.KeyUsage == x509.KeyUsageDigitalSignature {
		said.Usages = append(said.Usages, "digital_signature")
	}
	usage := leaf.ExtKeyUsage
	said.ClientAuthOnly = len(usage) == 1 && usage[0] == x509.ExtKeyUsageClientAuth && len(leaf.UnknownExtKeyUsage) == 0
	for _, each := range leaf.Extensions {
		said.Extensions = append(said.Extensions, each.Id.String())
		if each.Critical {
			said.Critical = append(said.Critical, each.Id.String())
		}
	}
	sort.Strings(said.Extensions)
	sort.Strings(said.Critical)
	for _, each := range crl.RevokedCertificateEntries {
		said.Revoked = said.Revoked || bytes.Equal(each.SerialNumber.Bytes(), leaf.SerialNumber.Bytes())
	}
	return said
}

func keyName(key any) string {
	switch key := key.(type) {
	case *rsa.PublicKey:
		return fmt.Sprintf("RSA-%d", key.N.BitLen())
	case *ecdsa.PublicKey:
		return key.Curve.Params().Name
	case ed25519.PublicKey:
		return "Ed25519"
	}
	panic("another key")
}

func block(file string) []byte {
	found, rest := pem.Decode(must(os.ReadFile(file)))
	if found == nil || len(rest) > 0 {
		panic(file + " is not one PEM block")
	}
	return found.Bytes
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
