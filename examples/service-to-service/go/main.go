// A service that answers other services by their client certificates, on Go's standard library alone. It trusts the
// authorities of one account, looks into their revocation lists, and lets in the subjects that it is told.
//
//	PKI_URL=https://control.example.com/pki/acc_… CALLERS='CN=billing,OU=Services,O=Corp' \
//	TLS_CERTIFICATE=server.pem TLS_KEY=server.key go run .
//
// CALLERS has one subject a line. REFRESH_SECONDS (60) is how old a revocation may be before it counts here.
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
	// Who cannot tell whom to trust does not start.
	if err := trust.refresh(); err != nil {
		log.Fatal(err)
	}
	go func() {
		for range time.Tick(time.Duration(seconds) * time.Second) {
			// The lists at hand stay good until they say that they are not.
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
		// Judged below, and again at each request: the authorities change while this runs.
		ClientAuth: tls.RequireAnyClientCert,
		// A resumed session would bring its certificate past the checks of a handshake.
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

// hello greets whoever may call now: connections live long, so each request is asked.
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
