import { encode } from 'gpt-tokenizer'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasRecordings, recordingPath, WITHOUT_RECORDINGS } from '../bench/recordings.ts'
import { MINUTE } from './domain/units.ts'
import { startArchiveService, type ArchiveService } from './testing/archive-service.ts'
import { startDemoService, type DemoService } from './testing/demo-service.ts'
import { importInto } from './testing/import-folder.ts'

const START = '2026-11-20T14:02:00Z'
/** The demo's past is read, and a further world stands. */
const SLOW = 240_000
const CALLS = 5
const TOKENS = 4_000

/** Two days of quotes and the markets that they are of; the clock stands in the second day. */
const RECORDED = [
  'venue_b/pmus_markets.parquet',
  'venue_b/pmus_quotes/dt=2026-07-10/data_0.parquet',
  'venue_b/pmus_quotes/dt=2026-07-11/data_0.parquet',
]
const RECORDED_AT = '2026-07-11T18:07:00Z'

/** Addresses that a text offers, in its order. */
const linksIn = (text: string): string[] =>
  [...text.matchAll(/`GET ([^`\s]+)`/g)].map(([, url]) => url ?? '')

/** Body of an answer to a GET of a path, after its status and a space. */
type Ask = (path: string) => Promise<string>

interface Walk {
  readonly texts: readonly string[]
  readonly tokens: number
}

/** What an agent reads that knows one address and follows what it is offered. */
async function walk(ask: Ask): Promise<Walk> {
  const texts: string[] = []
  const read = async (url: string): Promise<string> => {
    const answer = await ask(url.replace('http://augury.test', ''))
    expect(answer.slice(0, 3), `${url} answered ${answer.slice(0, 200)}`).toBe('200')
    texts.push(answer.slice(4))
    return answer.slice(4)
  }
  const world = await read('http://augury.test/api/agent/world')
  const explains = linksIn(world).filter((url) => url.includes('op=explain'))
  for (const explain of explains) {
    const [dossier] = linksIn(await read(explain)).filter((url) => url.includes('/inspect/'))
    if (dossier !== undefined) await read(dossier)
    if (texts.length >= CALLS - 1) break
  }
  const tokens = texts.reduce((sum, text) => sum + encode(text).length, 0)
  return { texts, tokens }
}

function expectAnswers({ texts, tokens }: Walk): void {
  expect(texts.length).toBeLessThanOrEqual(CALLS)
  expect(tokens).toBeLessThanOrEqual(TOKENS)
  const [world = '', ...further] = texts
  // What changed.
  expect(world).toMatch(/^# World \(/)
  expect(world).toMatch(/^## \[\w+\] /m)
  // Why.
  expect(further.some((text) => /^- (?:\d\.\d+ \w+ — |unexplained)/m.test(text))).toBe(true)
  // What is tradable.
  const dossiers = further.filter((text) => /^Suggestion: /m.test(text))
  expect(dossiers.length).toBeGreaterThan(0)
  expect(dossiers[0]).toMatch(/^Price .*bid/m)
}

describe('an agent that only follows links', () => {
  let demo: DemoService

  beforeAll(async () => {
    demo = await startDemoService({ seed: 11, markets: 120, start: START })
    await demo.advance(7 * MINUTE, 30_000)
  }, SLOW)
  afterAll(() => demo.stop())

  it('learns what changed, why, and what is tradable in five calls and 4,000 tokens', async () => {
    expectAnswers(await walk((path) => demo.ask(path)))
  })

  it('reads the world in 800 tokens of a real tokenizer, and a quiet delta in 50', async () => {
    const world = (await demo.ask('/api/agent/world')).slice(4)
    expect(encode(world).length).toBeLessThanOrEqual(800)
    const compact = (await demo.ask('/api/agent/world?compact=true')).slice(4)
    expect(encode(compact).length).toBeLessThanOrEqual(300)
    const quiet = (await demo.ask('/api/agent/world/delta?since=1m')).slice(4)
    expect(quiet).toMatch(/^# (?:No changes|Delta) /)
    if (quiet.startsWith('# No changes')) expect(encode(quiet).length).toBeLessThanOrEqual(50)
  })
})

describe.skipIf(!hasRecordings)(`an agent on recorded quotes (${WITHOUT_RECORDINGS})`, () => {
  let archive: ArchiveService
  const ask: Ask = async (path) => {
    const { status, text } = await archive.ask('GET', path, undefined, null)
    return `${status} ${text}`
  }

  beforeAll(async () => {
    archive = await startArchiveService({
      start: RECORDED_AT,
      fill: (history, folder) => importInto(history, folder, RECORDED.map(recordingPath)),
    })
    const standing = async () => expect(await ask('/api/agent/world')).toMatch(/^200/)
    await vi.waitFor(standing, { timeout: SLOW, interval: 200 })
  }, SLOW)
  afterAll(() => archive.stop())

  it('learns the same of real markets, on the clock of the day they were recorded', async () => {
    expectAnswers(await walk(ask))
  })
})
