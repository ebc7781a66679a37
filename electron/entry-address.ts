import type { Ready } from './ready-line.ts'

export interface EntryTools {
  /** Text of a file, or null when it cannot be read. */
  readonly readText: (path: string) => string | null
  readonly fetch: typeof globalThis.fetch
}

const TICKET_MS = 3_000

/**
 * The address that opens the page signed in: with a one-time ticket for a user who can read the
 * data folder. After any failure it is the plain address, which opens the page for public reads.
 */
export async function entryAddress(
  ready: Pick<Ready, 'url' | 'dataDir'>,
  tools: EntryTools,
): Promise<string> {
  const secret = launchSecret(tools.readText(`${ready.dataDir}/run/launch.json`))
  if (secret === null) return ready.url
  try {
    const response = await tools.fetch(new URL('/api/auth/local', ready.url), {
      method: 'POST',
      headers: { authorization: `Launch ${secret}` },
      signal: AbortSignal.timeout(TICKET_MS),
    })
    if (!response.ok) return ready.url
    const body: unknown = await response.json()
    const url = typeof body === 'object' && body !== null && 'url' in body ? body.url : null
    return typeof url === 'string' && URL.canParse(url) ? url : ready.url
  } catch {
    return ready.url
  }
}

/** The ticket in an address from `entryAddress`; null when it has none. */
export const ticketOf = (address: string): string | null =>
  new URLSearchParams(new URL(address).hash.slice(1)).get('ticket')

/**
 * Address of a backend that already serves this data folder, from its launch file; null when there
 * is none.
 */
export function runningAddress(launchText: string | null): string | null {
  const url = fieldOf(launchText, 'url')
  return url !== null && URL.canParse(url) ? url : null
}

const launchSecret = (launchText: string | null): string | null => fieldOf(launchText, 'secret')

function fieldOf(text: string | null, name: string): string | null {
  if (text === null) return null
  try {
    const value = (JSON.parse(text) as Record<string, unknown> | null)?.[name]
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}
