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
  await trading.service.quote({ bid: 69, ask: 71, bidSize: 500, askSize: 500 })
})
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
