// Calls a service with a client certificate, with only Go's standard library. It works for a callee and for a share of
// the gateway that requires certificates.
//
//	CERTIFICATE=billing.cert.pem KEY=billing.key.pem go run . https://reports.share.example.com/
//
// CA is a file with the CA certificates of servers, instead of those of the system. ADDRESS replaces what the DNS says
// about the name, like --resolve of curl.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

func main() {
	certificate, key := os.Getenv("CERTIFICATE"), os.Getenv("KEY")
	if certificate == "" || key == "" || len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "Set CERTIFICATE and KEY, and say what to call; see the head of main.go.")
		os.Exit(2)
	}
	if err := call(os.Args[1], certificate, key); err != nil {
		fmt.Fprintf(os.Stderr, "Cannot call %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

func call(url, certificate, key string) error {
	config := &tls.Config{
		// Read for each connection: a renewed certificate has the same name.
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			pair, err := tls.LoadX509KeyPair(certificate, key)
			return &pair, err
		},
	}
	if file := os.Getenv("CA"); file != "" {
		pem, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return fmt.Errorf("%s has no certificates", file)
		}
	}
	client := http.Client{
		Timeout:   10 * time.Second,
		Transport: &http.Transport{TLSClientConfig: config, DialContext: dial, ForceAttemptHTTP2: true},
	}
	answer, err := client.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(os.Stdout, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("it answered %s", answer.Status)
	}
	return nil
}

func dial(ctx context.Context, network, at string) (net.Conn, error) {
	if address := os.Getenv("ADDRESS"); address != "" {
		_, port, err := net.SplitHostPort(at)
		if err != nil {
			return nil, err
		}
		at = net.JoinHostPort(address, port)
	}
	return (&net.Dialer{}).DialContext(ctx, network, at)
}
