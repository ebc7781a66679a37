import { encode } from 'gpt-tokenizer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '../domain/units.ts'
import { expectAnswers, walk } from '../testing/agent-walk.ts'
import { startDemoService, type DemoService } from '../testing/demo-service.ts'

const START = '2026-11-20T14:02:00Z'
/** The demo's backfill is complete, and a second world snapshot is published. */
const SLOW = 240_000

describe('an agent that only follows links', () => {
  let demo: DemoService

  beforeAll(async () => {
    demo = await startDemoService({ seed: 11, markets: 120, start: START })
    await demo.advance(7 * MINUTE, 30_000)
  }, SLOW)
  afterAll(() => demo.stop())

  it('finds what changed, why, and what is tradable in five calls and 4,000 tokens', async () => {
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
