/** Base addresses of the service's parts; every absolute address in a body is built from them. */
export interface Urls {
  readonly baseUrl: string
  readonly dataUrl: string
  readonly appUrl: string
  readonly wsUrl: string
}

/** A follow-up request suggested to the client. */
export interface Action {
  readonly description: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly body?: Record<string, unknown>
}

/** Absolute address of a route with its query; parameters without a value are left out. */
export function absoluteUrl(
  base: string,
  path: string,
  query: Readonly<Record<string, string | number | null>> = {},
): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) search.set(name, String(value))
  }
  const text = search.toString()
  return `${base}${path}${text === '' ? '' : `?${text}`}`
}

export const get = (description: string, url: string): Action => ({
  description,
  method: 'GET',
  url,
})

export const inspectUrl = (urls: Urls, ticker: string): string =>
  `${urls.baseUrl}/api/agent/inspect/${encodeURIComponent(ticker)}`
export const marketUrl = (urls: Urls, ticker: string): string =>
  `${urls.baseUrl}/api/public/market/${encodeURIComponent(ticker)}`
/** Address that opens the terminal and runs a line of its command language. */
export const terminalUrl = (urls: Urls, line: string): string =>
  `${urls.appUrl}/#${new URLSearchParams({ c: line }).toString()}`
export const marketPageUrl = (urls: Urls, slug: string): string => `${urls.appUrl}/markets/${slug}`
