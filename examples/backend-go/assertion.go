package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// claims are what an assertion says about the visitor.
type claims struct {
	Issuer    string `json:"iss"`
	Audience  string `json:"aud"`
	Subject   string `json:"sub"`
	Email     string `json:"email"`
	Provider  string `json:"provider"`
	ExpiresAt int64  `json:"exp"`
}

var (
	errInvalid        = errors.New("the assertion is not valid")
	errKeysUnreadable = errors.New("the keys cannot be read")
)

// The clocks of two machines differ slightly.
const leeway = 5 * time.Second

type verifier struct {
	issuer    string
	audiences []string
	keys      keySet
}

func newVerifier(loginURL string, shareURLs []string) *verifier {
	issuer := strings.TrimSuffix(loginURL, "/")
	audiences := make([]string, 0, len(shareURLs))
	for _, url := range shareURLs {
		audiences = append(audiences, strings.TrimSuffix(url, "/"))
	}
	return &verifier{
		issuer:    issuer,
		audiences: audiences,
		keys:      keySet{url: issuer + "/.well-known/jwks.json", client: newClient()},
	}
}

// verify returns the visitor, or errInvalid, or errKeysUnreadable.
func (v *verifier) verify(ctx context.Context, assertions []string) (*claims, error) {
	if len(assertions) != 1 {
		return nil, errInvalid
	}
	parts := strings.Split(assertions[0], ".")
	if len(parts) != 3 {
		return nil, errInvalid
	}
	var header struct{ Alg, Kid string }
	// This service chooses the algorithm, not the sender.
	if decode(parts[0], &header) != nil || header.Alg != "ES256" {
		return nil, errInvalid
	}
	key, err := v.keys.find(ctx, header.Kid)
	if err != nil {
		return nil, err
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || len(signature) != 64 {
		return nil, errInvalid
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	if !ecdsa.Verify(key, digest[:], r, s) {
		return nil, errInvalid
	}
	var said claims
	if decode(parts[1], &said) != nil ||
		strings.TrimSuffix(said.Issuer, "/") != v.issuer ||
		!slices.Contains(v.audiences, strings.TrimSuffix(said.Audience, "/")) ||
		!time.Unix(said.ExpiresAt, 0).After(time.Now().Add(-leeway)) {
		return nil, errInvalid
	}
	return &said, nil
}

// keySet holds the public keys by kid. For an unknown kid it reads the set again, at most every ten seconds.
type keySet struct {
	url    string
	client *http.Client
	mu     sync.Mutex
	keys   map[string]*ecdsa.PublicKey
	readAt time.Time
}

func (k *keySet) find(ctx context.Context, kid string) (*ecdsa.PublicKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.keys[kid] == nil && time.Since(k.readAt) > 10*time.Second {
		if err := k.read(ctx); err != nil {
			log.Printf("Cannot read %s: %v", k.url, err)
			return nil, errKeysUnreadable
		}
	}
	if key := k.keys[kid]; key != nil {
		return key, nil
	}
	return nil, errInvalid
}

func (k *keySet) read(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, k.url, nil)
	if err != nil {
		return err
	}
	response, err := k.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	var set struct {
		Keys []struct{ Kty, Crv, Kid, X, Y string }
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 100_000)).Decode(&set); err != nil {
		return err
	}
	k.keys, k.readAt = map[string]*ecdsa.PublicKey{}, time.Now()
	for _, jwk := range set.Keys {
		x, errX := base64.RawURLEncoding.DecodeString(jwk.X)
		y, errY := base64.RawURLEncoding.DecodeString(jwk.Y)
		if jwk.Kty != "EC" || jwk.Crv != "P-256" || errX != nil || errY != nil {
			continue
		}
		key := &ecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(x), Y: new(big.Int).SetBytes(y)}
		// Refuses points that are not on the curve.
		if _, err := key.ECDH(); err == nil {
			k.keys[jwk.Kid] = key
		}
	}
	return nil
}

// newClient resolves names under localhost to this machine (RFC 6761). Only the quick start needs that.
func newClient() *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second}
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		if host, port, err := net.SplitHostPort(address); err == nil && strings.HasSuffix(host, ".localhost") {
			address = net.JoinHostPort("127.0.0.1", port)
		}
		return dialer.DialContext(ctx, network, address)
	}}
	return &http.Client{Transport: transport, Timeout: 5 * time.Second}
}

func decode(part string, into any) error {
	bytes, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(bytes, into)
}
