import type { Command } from '../../shell/commands/command.ts'
import type { Verb } from '../../shell/commands/commands.ts'

const EMPTY: Omit<Command, 'verb'> = {
  subject: null,
  args: {},
  filters: [],
  venue: null,
  flags: [],
  sink: null,
}

export const marketCommand = (verb: Verb, ticker: string): Command => ({
  ...EMPTY,
  verb,
  subject: { kind: 'ticker', ticker },
})

export const regionCommand = (
  verb: Verb,
  path: string,
  args: Readonly<Record<string, string>> = {},
): Command => ({ ...EMPTY, verb, args: { ...(path === '' ? {} : { path }), ...args } })

const WORLD = '/api/agent/world'

function worldCommand(path: string, query: URLSearchParams): Command | null {
  const span = query.get('dt') ?? query.get('window')
  switch (query.get('op') ?? 'snapshot') {
    case 'snapshot':
      return regionCommand('WORLD', path)
    case 'history':
      return regionCommand('IDX', path, span === null ? {} : { span })
    case 'catalyst':
      return regionCommand('CATL', path, span === null ? {} : { within: span })
    case 'dispersion':
      return regionCommand('DISP', path)
    case 'trail': {
      const from = query.get('from')
      return from === null ? null : marketCommand('TRAIL', from)
    }
    case 'explain': {
      const item = query.get('item')
      return item === null ? null : regionCommand('EXPLAIN', '', { item })
    }
    default:
      return null
  }
}

/** A decoded part of an address; null when it is malformed. */
function decodeText(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/**
 * The command whose pane shows what an address of the service returns, so that the page can follow
 * `next` links in responses. Null for addresses without a pane.
 */
export function commandOfAddress(address: string): Command | null {
  const url = URL.parse(address, 'http://service')
  if (url === null) return null
  const { pathname, searchParams } = url
  if (pathname === WORLD) return worldCommand('', searchParams)
  if (pathname.startsWith(`${WORLD}/`)) {
    const path = decodeText(pathname.slice(WORLD.length + 1))?.split('/')
    if (path === undefined) return null
    if (path[0] === 'delta') {
      const sinceParam = searchParams.get('since')
      return regionCommand('DELTA', '', sinceParam === null ? {} : { since: sinceParam })
    }
    return path[0] === 'feed' ? null : worldCommand(path.join('/'), searchParams)
  }
  const [, encodedTicker = '', tail] =
    /^\/api\/(?:agent\/inspect|public\/market)\/([^/]+)(?:\/(history|candles))?$/.exec(pathname) ??
    []
  const ticker = decodeText(encodedTicker) ?? ''
  if (ticker === '') return null
  const verb = tail === 'history' ? 'HIST' : tail === 'candles' ? 'GP' : 'DES'
  return marketCommand(verb, ticker)
}
