// A backend behind Doorward, with only Go's standard library. It trusts only the gateway: each request must
// carry svc-auth-assertion, a JWT (ES256) signed for this share and no older than a few minutes.
// A share with custom hosts has a URL at each of them: list them all, separated by spaces.
//
//	DOORWARD_LOGIN_URL=https://login.example.com DOORWARD_SHARE_URL=https://app.share.example.com go run .
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	loginURL, shareURLs := os.Getenv("DOORWARD_LOGIN_URL"), strings.Fields(os.Getenv("DOORWARD_SHARE_URL"))
	if loginURL == "" || len(shareURLs) == 0 {
		fmt.Fprintln(os.Stderr, "Set DOORWARD_LOGIN_URL and DOORWARD_SHARE_URL; see the head of main.go.")
		os.Exit(2)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(envOr("HOST", "127.0.0.1"), envOr("PORT", "3000")))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Listening on http://%s\n", listener.Addr())
	server := &http.Server{Handler: hello(newVerifier(loginURL, shareURLs)), ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(server.Serve(listener))
}

// hello greets visitors that the gateway authenticated, and refuses everyone else.
func hello(verifier *verifier) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		claims, err := verifier.verify(r.Context(), r.Header.Values("Svc-Auth-Assertion"))
		if err == errKeysUnreadable {
			// If in doubt, refuse.
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprintln(w, "Cannot check who you are at the moment.")
			return
		}
		if err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintln(w, "This backend answers only through its gateway.")
			return
		}
		fmt.Fprintf(w, "Hello %s, logged in at %s.\n", claims.Email, claims.Provider)
	})
}

func envOr(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}
