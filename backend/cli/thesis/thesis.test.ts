import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ServedThesis, ThesisPage } from '../../contract/theses/thesis.ts'
import {
  startTradingCommandLine,
  type TradingCommandLine,
} from '../../testing/trading-command-line.ts'
import { TICKER } from '../../testing/trading-service.ts'

let trading: TradingCommandLine
beforeAll(async () => {
  trading = await startTradingCommandLine()
  await trading.service.describe({
    title: 'Will the senate pass the shutdown bill by December 31, 2026?',
  })
  await quote(70)
})
const quote = (mid: number) =>
  trading.service.quote({ bid: mid - 1, ask: mid + 1, bidSize: 500, askSize: 500 })
afterAll(() => trading.stop())
const augury = (...words: string[]) => trading.line.run(['thesis', ...words])
const CLAIM = 'The senate will pass the shutdown bill by December 31, 2026'

it('[client.cli.thesis] forms a thesis, reads it, tries a what-if, and evaluates a signal', async () => {
  expect((await augury('list')).err).toContain('Try: augury thesis create')
  const created = await augury('create', CLAIM, 'because the bakery \u001b[31mwins')
  expect([created.exit, created.err]).toEqual([0, 'Forming.\n'])
  expect(created.out).toContain(`title: ${CLAIM} because the bakery`)
  expect(created.out).not.toContain('\u001b')
  expect(created.out).toMatch(/confidence: 63\.3 %/)
  expect(created.out).toMatch(/shutdown bill by December 31, 2026 +70 % +66\.7 % +n1/)
  const [row] = (JSON.parse((await augury('list', '--json')).out) as ThesisPage).data
  const id = row?.shortId ?? ''
  expect((await augury('list')).out).toMatch(
    new RegExp(`active +63\\.3 % +– +1 +2026-12-31 +– +${id}`),
  )
  expect((await augury('edges', id)).out).toMatch(new RegExp(`yes +70¢ +\\S+¢ .*n1 +${TICKER}`))
  const projected = await augury('whatif', id, '--set', 'n1=10%', 'n2=0.5')
  expect(projected.out).toMatch(/^n1: 70 % to 10 %, /)
  expect(projected.out).toMatch(/confidence: 63\.3 % to 23\.3 % \(-40 pp\)/)
  expect((await augury('whatif', id, '--set', 'n1=7')).exit).toBe(2)

  expect((await augury('signal', id, 'The bill was signed', '--node', 'n1')).out).toMatch(
    /^queued: sig_\w+, 1 waiting\n$/,
  )
  const evaluated = await augury('evaluate', id)
  expect(evaluated.out).toMatch(/1 signal read/)
  expect(evaluated.out).toMatch(/status: active\n$/)
  expect((await augury('evaluations', id, '--raw')).out.split('\n')).toHaveLength(4)
  expect((await augury('status', id, 'paused')).out).toMatch(/^paused: /)
  const got = JSON.parse((await augury('get', id, '--json')).out) as ServedThesis
  expect(got.status).toBe('paused')
})

it('[client.cli.thesis] publishes, unpublishes and deletes after a confirmation', async () => {
  const created = await augury('create', CLAIM.replace('2026', '2027'), '--async')
  const id = /forming: ([\w-]+)/.exec(created.out)?.[1] ?? ''
  const published = await augury('publish', id, '--slug', 'shutdown-ends')
  expect(published.out).toMatch(/\/thesis\/shutdown-ends\n$/)
  expect((await augury('publish', id, '--slug', 'No')).exit).toBe(2)
  expect((await augury('unpublish', id)).out).toBe(`private: ${id}\n`)
  expect((await augury('delete', id)).exit).toBe(2)
  expect((await augury('delete', id, '--yes')).out).toBe(`deleted: ${id}\n`)
  expect((await augury('get', id)).exit).toBe(5)
})

it('[client.cli.thesis] ends with the reason and the exit code of a refusal', async () => {
  const refused = await augury('create', 'Buy as many contracts as you can today')
  expect([refused.exit, refused.err]).toEqual([
    2,
    expect.stringMatching(/an order.*\n.*Say what you expect/),
  ])
  expect((await augury('forget', 'x')).err).toContain('thesis has the verbs list, get')
  expect((await augury('signal', 'x')).exit).toBe(2)
})

it('[client.cli.thesis] shows the context, augments, evolves and sets the heartbeat', async () => {
  const created = JSON.parse(
    (await augury('create', CLAIM.replace('The senate', 'The whole senate'), '--sync', '--json'))
      .out,
  ) as ServedThesis
  const { id } = created
  const context = await augury('context', id)
  expect(context.out).toMatch(/^title: The whole senate/)
  expect(context.out).toMatch(/Bid +Ask +Depth/)
  expect(context.out).toContain('track record: no market of its edges has settled')
  expect(JSON.parse((await augury('context', id, '--json', '--limit', '1')).out)).toMatchObject({
    thesisId: id,
    trackRecord: { closedEdges: 0 },
  })

  const augmented = await augury('augment', id, '--depth', '2')
  expect([augmented.exit, augmented.out]).toEqual([0, expect.stringMatching(/^added: /)])
  expect((await augury('augment', id, '--focus', 'n9')).err).toContain('nodeId n9 not found')

  expect((await augury('positions', id)).err).toContain('No positions are recorded')
  await trading.service.send('POST', `/api/thesis/${id}/positions`, {
    venue: 'venue_a',
    externalMarketId: TICKER,
    marketTitle: 'The \u001b[31msenate',
    direction: 'no',
    entryPrice: 25,
    size: 10,
  })
  expect((await augury('positions', id)).out).toMatch(
    /The \[31msenate +no +open +10 +25¢ +30¢ +\$0\.50 .*pos_\w+\n$/,
  )

  const beat = await augury('heartbeat', id, '--set', 'newsIntervalMin=60', 'closedLoop=exits')
  expect(beat.out).toMatch(/every: 60 min\n[^]*trades: exits\n/)
  expect((await augury('heartbeat', id, '--set', 'newsIntervalMin=1')).err).toContain(
    'newsIntervalMin must be 15-1440',
  )
  expect((await augury('heartbeat', id, '--set', 'fast')).exit).toBe(2)
  expect((await augury('evaluate', id, '--model', 'best')).exit).toBe(2)
  expect((await augury('evaluate', id, '--model', 'heavy')).out).toMatch(
    /pos_\w+: close, the thesis prices NO \S+¢ below the market\nstatus: active\n$/,
  )
  expect(JSON.parse((await augury('context', id, '--json')).out)).toMatchObject({
    lastEvaluation: { positionRecommendations: [{ recommendation: 'close' }] },
  })

  expect((await augury('fork', id, '--title', 'Copy')).out).toMatch(/^forked: /)
  const claim = 'The senate will pass the shutdown bill in January 2027'
  const evolved = await augury('fork', id, '--claim', claim, '--reason', 'later')
  expect(evolved.err).toBe('Forming.\n')
  expect(evolved.out).toContain(`claim: ${claim}`)
  expect((await augury('get', id)).out).toContain('status: dormant')
})

it('[client.cli.thesis] prints the track record once a market of its edges has settled', async () => {
  await quote(70)
  const claim = CLAIM.replace('The senate', 'The full senate')
  const { id } = JSON.parse((await augury('create', claim, '--sync', '--json')).out) as ServedThesis
  expect((await augury('get', id)).out).not.toContain('track record')
  await trading.service.describe({
    title: 'Will the senate pass the shutdown bill by December 31, 2026?',
    status: 'settled',
    result: 'yes',
    settlementPrice: 10_000 as never,
  })
  await augury('evaluate', id)
  for (const verb of ['get', 'context']) {
    const { out } = await augury(verb, id)
    // A settled market has no edge any more, and keeps the side on which it was found.
    expect(out).toMatch(/shutdown bill by December 31, 2026\? +yes +100¢ +72\.61¢ +– +–/)
    expect(out).toMatch(/track record: 1 settled since 2026-11-20/)
    expect(out).toMatch(/brier: 0\.\d{3}, market 0\.090 \(lower is better\)/)
    expect(out).toMatch(/return: 38\.04 % after costs, 42\.86 % for YES held/)
    expect(out).toMatch(/shutdown bill by December 31, 2026\? +yes +\S+¢ +70¢ +100¢ +0\.\d{3}/)
  }
})
