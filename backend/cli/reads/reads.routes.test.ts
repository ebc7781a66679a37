import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '../../domain/units.ts'
import { venueOf } from '../../domain/venue.ts'
import type { OpenApiDocument, Operation } from '../../http/routes/openapi.ts'
import { bind, type BoundAddress } from '../../http/server.ts'
import { commandLine, type CommandLine } from '../../testing/command-line.ts'
import { startDemoService, type DemoService } from '../../testing/demo-service.ts'
import { READS } from '../commands.ts'
import { GLOBAL_FLAGS, parseLine } from '../flags.ts'
import type { Settings } from '../settings.ts'
import { flagsOf } from './read-command.ts'

const SECRET = 'launch-secret'
const PAST = '2026-11-19T09:30:00.000Z'

let demo: DemoService
let bound: BoundAddress
let line: CommandLine
let document: OpenApiDocument
let ticker: string

beforeAll(async () => {
  demo = await startDemoService({ seed: 5, markets: 120, start: '2026-11-20T14:00:00.000Z' })
  // A second world, so that a past one exists.
  await demo.advance(7 * MINUTE, 30_000)
  bound = await bind({ host: '127.0.0.1', port: 0 })
  demo.service.serveOn(bound, SECRET)
  line = commandLine()
  document = (await (await fetch(`${bound.url}/openapi.json`)).json()) as OpenApiDocument
  const page = await fetch(`${bound.url}/api/public/markets?limit=1`)
  ticker = ((await page.json()) as { markets: { ticker: string }[] }).markets[0]?.ticker ?? ''
})
afterAll(async () => {
  line.remove()
  await bound.close(0)
  await demo.stop()
})

const augury = (...args: string[]) =>
  line.run(args, { env: { HOME: line.home, AUGURY_API_URL: bound.url } })

/** Required arguments of a read. */
const WORDS: Readonly<Record<string, () => string[]>> = {
  inspect: () => [ticker],
  market: () => [ticker],
  candles: () => [ticker],
  query: () => ['will', 'it', 'rain'],
  scan: () => ['fed'],
}
it('prints why a scan lists no market', async () => {
  const { out } = await augury('scan', 'will')
  expect(out).toBe('“will” has no subject. Name a person, place, event, date or number.\n')
})

/** It belongs to accounts, and requires a key. */
const OPEN = READS.filter(({ name }) => name !== 'usage')

describe.each(OPEN.map((read) => [read.name] as const))('augury %s', (name) => {
  const args = () => [name, ...(WORDS[name]?.() ?? [])]

  // [client.cli.every-read]
  it('prints text, and with --json one document', async () => {
    const text = await augury(...args())
    expect([text.exit, text.err.replace(/^More with: --cursor \S+\n$/, '')]).toEqual([0, ''])
    expect(text.out).toMatch(/\S\n$/)
    expect(text.out).not.toMatch(/undefined|NaN|\[object|null/)
    const json = await augury(...args(), '--json')
    expect([json.exit, json.err]).toEqual([0, ''])
    expect(typeof JSON.parse(json.out)).toBe('object')
  })

  it('answers as of a past instant', async () => {
    const past = await augury(...args(), '--as-of', PAST, '--json')
    // The demo's context begins at its start, so earlier reads return 404.
    expect([0, 5]).toContain(past.exit)
    const later = await augury(...args(), '--as-of', '2099-01-01T00:00:00Z')
    expect([later.exit, later.err]).toEqual([
      2,
      expect.stringMatching(/^augury: asOf is in the fut/),
    ])
  })
})

const settings = { defaultModel: null } as Settings

/** The operation of a read's path. */
function operationOf(path: string): Operation | undefined {
  const requested = path.split('/').length
  const fits = (template: string): boolean =>
    template.split('/').length === requested &&
    template
      .split('/')
      .every((part, index) => part.startsWith('{') || part === path.split('/')[index])
  const template =
    document.paths[path] === undefined ? Object.keys(document.paths).find(fits) : path
  return template === undefined ? undefined : document.paths[template]?.['get']
}

describe('the table of reads', () => {
  // [client.cli.true-flags]
  it.each(OPEN.map((read) => [read.name, read] as const))(
    '%s requests an existing route with parameters that it has',
    (name, read) => {
      const flags = flagsOf(read)
      const table = Object.fromEntries(
        Object.entries(flags).map(([flag, { kind }]) => [flag, kind]),
      )
      const lines = name === 'index' ? [[], ['--days', '1']] : [[]]
      const routes = lines.map((args) =>
        read.routeOf({
          args: WORDS[name]?.() ?? [],
          flags: parseLine(args, { ...GLOBAL_FLAGS, ...table }).flags,
          settings,
        }),
      )
      const operations = routes.map(({ path }) => operationOf(path))
      expect(operations).not.toContain(undefined)
      const present = operations.flatMap((operation) => operation?.parameters ?? [])
      for (const [flag, { params, choices }] of Object.entries(flags)) {
        for (const param of params) {
          const parameter = present.find((candidate) => candidate.name === param)
          expect(parameter, `--${flag} of ${name} stands for ${param}`).toBeDefined()
          const words = parameter?.schema['enum']
          if (choices !== undefined && name !== 'briefing') {
            // Venues are offered by name and sent by id.
            const sent = choices.map((choice) => venueOf(choice) ?? choice)
            expect(sent.sort(), `--${flag} of ${name}`).toEqual([...(words as string[])].sort())
          }
        }
      }
      for (const { query = {}, answer } of routes) {
        const requested = [...Object.keys(query), ...Object.keys(answer.forms?.json ?? {}), 'asOf']
        expect(present.map((parameter) => parameter.name)).toEqual(
          expect.arrayContaining(requested),
        )
      }
    },
  )
})

describe('paged lists', () => {
  // [client.cli.all-pages]
  it('are fetched completely with --all, as text and as one document', async () => {
    const whole = await augury('markets', '--limit', '500', '--json')
    const { markets, total } = JSON.parse(whole.out) as { markets: unknown[]; total: number }
    expect(markets.length).toBe(total)
    const all = await augury('markets', '--all', '--limit', '7', '--json')
    const body = JSON.parse(all.out) as Record<string, unknown>
    expect(body).toMatchObject({ count: total, total, nextCursor: null, hasMore: false })
    expect(body['markets']).toHaveLength(total)
    const text = await augury('markets', '--all', '--limit', '7')
    expect(text.out.trimEnd().split('\n')).toHaveLength(total + 1)
  })

  it('continue after this page', async () => {
    const first = await augury('screen', '--limit', '2')
    const cursor = /--cursor (\S+)/.exec(first.err)?.[1] ?? ''
    const second = await augury('screen', '--limit', '2', '--cursor', cursor)
    const rows = ({ out }: { out: string }) => out.trimEnd().split('\n').slice(1)
    const tickers = [...rows(first), ...rows(second)].map((row) => row.split(/\s+/).at(-1))
    expect(new Set(tickers).size).toBe(4)
  })
})

describe('filters', () => {
  it.each([
    [['screen', '--price', '20..80'], 0, /^Title /],
    [['screen', '--ee-min', '-5', '--iy', '..100'], 0, /^Title /],
    [['screen', '--price', '80..20'], 2, /price/],
    [['screen', '--price', '20'], 2, /--price must be A\.\.B/],
    [['screen', '--price', '..'], 2, /--price must be A\.\.B/],
    [['regime', '--label', 'nobody'], 2, /label must be/],
    [['world', 'fed-rate', 'june'], 0, /^# World \/ /],
    [['world', '..', 'x'], 2, /is not a valid name/],
    [['inspect', 'NOPE'], 5, /Market not found/],
    [['market', '.'], 2, /is not a valid name/],
    [['markets', '--all', '--cursor', 'x'], 2, /cannot be combined/],
    [['query', 'x'], 2, /q required/],
    [['ideas', 'no-such-idea'], 5, /./],
    [['index', '--days', '7'], 0, /^Time \(UTC\) /],
    [['candles', '--tf', '1h'], 2, /wrong number of arguments/],
  ])('%j ends with %d', async (args, exit, pattern) => {
    const ran = await augury(...args)
    expect([ran.exit, `${ran.out}${ran.err}`]).toEqual([exit, expect.stringMatching(pattern)])
  })

  it('pass a switch that turns off', async () => {
    const full = await augury('inspect', ticker, '--json')
    const short = await augury('inspect', ticker, '--no-trend', '--no-diff', '--json')
    expect(Object.keys(JSON.parse(full.out) as object)).toEqual(
      expect.arrayContaining(['trend7d', 'diff24h']),
    )
    expect(short.out).not.toMatch(/trend7d|diff24h/)
  })
})

describe('augury delta', () => {
  it('requires a start, and prints markdown or JSON', async () => {
    expect((await augury('delta')).exit).toBe(2)
    expect((await augury('delta', '--since', '5m')).out).toMatch(/^# /)
    const { out } = await augury('delta', '--since', '5m', '--json')
    expect(JSON.parse(out)).toMatchObject({ changes: expect.any(Array) as unknown[] })
  })

  // [client.cli.follow]
  it('polls from where the last one ended until it is interrupted', async () => {
    const stop = new AbortController()
    const documents: { from: string; to: string }[] = []
    const ran = await line.run(['delta', '--since', '5m', '--watch', '2', '--json'], {
      env: { HOME: line.home, AUGURY_API_URL: bound.url },
      signal: stop.signal,
      print(text) {
        documents.push(JSON.parse(text) as { from: string; to: string })
        if (documents.length === 3) stop.abort()
      },
    })
    expect([ran.exit, documents.length]).toEqual([130, 3])
    expect(documents[1]?.from).toBe(documents[0]?.to)
    expect(documents[2]?.from).toBe(documents[1]?.to)
  })
})
