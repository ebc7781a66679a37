/**
 * The cookie that carries a session's token; the port in its name separates services on one host.
 */
export interface SessionCookie {
  readonly name: string
  set(token: string): string
  readonly cleared: string
  /**
   * The tokens in a `Cookie` header: several if another service on this host set one of this name.
   */
  read(header: string): readonly string[]
}

/** A response body with its cookie. */
export interface WithCookie<T> {
  readonly body: T
  readonly setCookie: string
}

/** Sets the cookie header and returns the body. */
export function withCookie<T>(
  set: { readonly headers: Record<string, unknown> },
  { body, setCookie }: WithCookie<T>,
): T {
  set.headers['set-cookie'] = setCookie
  return body
}

const WEEK_S = 604_800
const NO_TOKEN: readonly string[] = []

/**
 * @param baseUrl the address of the service; its port is part of the name because cookies do not
 * separate ports
 */
export function sessionCookieOf(baseUrl: string): SessionCookie {
  const { protocol, port } = new URL(baseUrl)
  const isSecure = protocol === 'https:'
  const name = `augury_session_${port === '' ? (isSecure ? '443' : '80') : port}`
  const text = (value: string, age: number): string =>
    `${name}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${age}${isSecure ? '; Secure' : ''}`
  return {
    name,
    set: (token) => text(token, WEEK_S),
    cleared: text('', 0),
    read(header) {
      if (!header.includes(name)) return NO_TOKEN
      return header.split(';').flatMap((pair) => {
        const at = pair.indexOf('=')
        return pair.slice(0, at).trim() === name ? pair.slice(at + 1).trim() : NO_TOKEN
      })
    },
  }
}
