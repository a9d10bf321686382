// The way in: the control plane's own login, which asks an identity provider.

export function LoginPage() {
  return (
    <main className="alone">
      <h1>Doorward</h1>
      <p>Shares, providers, sessions and certificates of your organisation.</p>
      <a className="button primary" href="/auth/login">
        Log in
      </a>
    </main>
  );
}
