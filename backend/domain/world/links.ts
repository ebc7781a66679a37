/** Base address of the service and its pages, without a trailing slash. */
export interface Addresses {
  readonly baseUrl: string
  readonly appUrl: string
}

/** Address of a region's snapshot, or of another operation on it. */
export function worldUrl(
  { baseUrl }: Pick<Addresses, 'baseUrl'>,
  path: readonly string[],
  query: Readonly<Record<string, string>> = {},
): string {
  const route = ['/api/agent/world', ...path.map(encodeURIComponent)].join('/')
  const parameters = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return `${baseUrl}${route}${parameters === '' ? '' : `?${parameters}`}`
}

export const inspectUrlOf = ({ baseUrl }: Pick<Addresses, 'baseUrl'>, ticker: string): string =>
  `${baseUrl}/api/agent/inspect/${encodeURIComponent(ticker)}`

export const priceHistoryUrlOf = (
  { baseUrl }: Pick<Addresses, 'baseUrl'>,
  ticker: string,
): string => `${baseUrl}/api/public/market/${encodeURIComponent(ticker)}/history`

export const pageUrlOf = ({ appUrl }: Pick<Addresses, 'appUrl'>, slug: string): string =>
  `${appUrl}/markets/${slug}`
