import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hasRecordings, WITHOUT_RECORDINGS } from '../../bench/recordings.ts'
import type { OpenApiDocument, Operation } from '../http/routes/openapi.ts'
import { expectAnswers, walk } from '../testing/agent-walk.ts'
import { startArchiveService, type ArchiveService } from '../testing/archive-service.ts'
import { importInto } from '../testing/import-folder.ts'
import { dereferenced } from '../testing/dereferenced.ts'
import { violationOf } from '../testing/json-schema.ts'
import { sampleRecordings } from '../testing/sampled-recordings.ts'

/** Two days of quotes and their markets; the clock is in the second day. */
const RECORDED = [
  'venue_b/pmus_markets.parquet',
  'venue_b/pmus_quotes/dt=2026-07-10/data_0.parquet',
  'venue_b/pmus_quotes/dt=2026-07-11/data_0.parquet',
]
const RECORDED_AT = '2026-07-11T18:07:00Z'
const AN_HOUR_BEFORE = '2026-07-11T17:07:00Z'
/** A quarter of the markets, with all of their quotes. */
const SAMPLE = 'md5_number_lower(slug) % 4 = 0'
/** Quotes are imported, and the first context snapshot is computed. */
const SLOW = 240_000

describe.skipIf(!hasRecordings)(`recorded quotes (${WITHOUT_RECORDINGS})`, () => {
  let archive: ArchiveService
  const ask = async (path: string, authorization: string | null = null): Promise<string> => {
    const { status, text } = await archive.ask('GET', path, undefined, authorization)
    return `${status} ${text}`
  }

  beforeAll(async () => {
    archive = await startArchiveService({
      start: RECORDED_AT,
      async fill(history, folder) {
        const copies = await sampleRecordings(RECORDED, { where: SAMPLE, folder })
        await importInto(history, folder, copies)
      },
    })
    const isReady = async () => expect(await ask('/api/agent/world')).toMatch(/^200/)
    await vi.waitFor(isReady, { timeout: SLOW, interval: 200 })
  }, SLOW)
  afterAll(() => archive.stop())

  it('show an agent that only follows links what changed, why, and what is tradable', async () => {
    expectAnswers(await walk((path) => ask(path)))
  })

  // [versions.openapi.answers-fit]
  it('are served as described by every read of a past instant, now and then', async () => {
    const served = JSON.parse((await ask('/openapi.json')).slice(4)) as OpenApiDocument
    const { paths } = dereferenced(served)
    const listed = (await ask('/api/public/markets?limit=1')).slice(4)
    const [market] = (JSON.parse(listed) as { markets: { ticker: string }[] }).markets
    const named: Readonly<Record<string, string>> = {
      ticker: market?.ticker ?? '',
      tickers: market?.ticker ?? '',
      q: 'will',
      since: '6h',
    }
    // No snapshot of the time before was published, so no change since then is known.
    const leftOut = new Set(['/api/agent/world/delta'])
    const violations: string[] = []
    let requested = 0
    for (const [path, { get }] of Object.entries(paths)) {
      const place = path.replace('{ticker}', named['ticker'] ?? '')
      if (get?.parameters.some(({ name }) => name === 'asOf') !== true || place.includes('{'))
        continue
      if (leftOut.has(path)) continue
      const needed = get.parameters.filter(
        (parameter) => parameter.required && parameter.in === 'query',
      )
      const question = new URLSearchParams(
        Object.fromEntries(needed.map(({ name }) => [name, named[name] ?? 'oil'])),
      )
      for (const asOf of [null, AN_HOUR_BEFORE]) {
        if (asOf !== null) question.set('asOf', asOf)
        const answer = await ask(
          `${place}?${question.toString()}`,
          needsAccount(get) ? archive.authorization : null,
        )
        const violation = violationOfAnswer(answer, get)
        if (violation !== null) violations.push(`${place}?${question.toString()}: ${violation}`)
        requested += 1
      }
    }
    expect(violations).toEqual([])
    expect(requested).toBeGreaterThan(70)
  })
})

const needsAccount = ({ security }: Operation): boolean =>
  security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0)

/** Why an answer is not the 200 of the description; a text fits any. */
function violationOfAnswer(answer: string, { responses }: Operation): string | null {
  if (!answer.startsWith('200 ')) return answer.slice(0, 200)
  const content = responses['200']?.['content'] as
    Readonly<Record<string, { readonly schema: unknown }>> | undefined
  const schema = content?.['application/json']?.schema
  const body = answer.slice(4)
  return schema === undefined || !body.startsWith('{')
    ? null
    : violationOf(schema, JSON.parse(body))
}
