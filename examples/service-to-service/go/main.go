// A service that authenticates other services by their client certificates, with only Go's standard library. It trusts
// the certificate authorities of one account, checks their CRLs, and allows the subjects in CALLERS.
//
//	PKI_URL=https://control.example.com/pki/acc_… CALLERS='CN=billing,OU=Services,O=Corp' \
//	TLS_CERTIFICATE=server.pem TLS_KEY=server.key go run .
//
// CALLERS has one subject per line. REFRESH_SECONDS (60) is how long a revocation can take to apply here.
package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	pkiURL, callers := os.Getenv("PKI_URL"), os.Getenv("CALLERS")
	certificate, key := os.Getenv("TLS_CERTIFICATE"), os.Getenv("TLS_KEY")
	seconds, err := strconv.Atoi(envOr("REFRESH_SECONDS", "60"))
	if pkiURL == "" || callers == "" || certificate == "" || key == "" || err != nil {
		fmt.Fprintln(os.Stderr, "Set PKI_URL, CALLERS, TLS_CERTIFICATE and TLS_KEY; see the head of main.go.")
		os.Exit(2)
	}
	trust := newTrust(pkiURL, strings.Split(callers, "\n"))
	// Without CA certificates and CRLs, the service does not start.
	if err := trust.refresh(); err != nil {
		log.Fatal(err)
	}
	go func() {
		for range time.Tick(time.Duration(seconds) * time.Second) {
			// The current CRLs stay valid until they expire.
			if err := trust.refresh(); err != nil {
				log.Print(err)
			}
		}
	}()
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(envOr("HOST", "127.0.0.1"), envOr("PORT", "3443")))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Listening on https://%s\n", listener.Addr())
	server := &http.Server{
		Handler:           hello(trust),
		ReadHeaderTimeout: 10 * time.Second,
		TLSConfig:         tlsConfig(pair, trust),
	}
	log.Fatal(server.ServeTLS(listener, "", ""))
}

func tlsConfig(pair tls.Certificate, trust *trust) *tls.Config {
	config := &tls.Config{
		Certificates: []tls.Certificate{pair},
		MinVersion:   tls.VersionTLS12,
		NextProtos:   []string{"h2", "http/1.1"},
		// Checked below and at each request: the certificate authorities can change while this runs.
		ClientAuth: tls.RequireAnyClientCert,
		// A resumed session would skip the certificate checks of a handshake.
		SessionTicketsDisabled: true,
	}
	config.VerifyConnection = func(state tls.ConnectionState) error {
		if len(state.PeerCertificates) == 0 || trust.issuerOf(state.PeerCertificates[0]) == nil {
			return errors.New("no certificate of this account")
		}
		return nil
	}
	return config
}

// hello greets allowed callers. Connections live long, so each request is checked.
func hello(trust *trust) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if err := trust.refusal(r.TLS.PeerCertificates); err != nil {
			w.Header().Set("Connection", "close")
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprintf(w, "This service does not answer %v.\n", err)
			return
		}
		fmt.Fprintf(w, "Hello CN=%s.\n", r.TLS.PeerCertificates[0].Subject.CommonName)
	})
}

func envOr(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}
