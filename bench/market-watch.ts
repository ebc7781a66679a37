import { PRESET_IDS } from '../backend/contract/panels/panel-names.ts'
import { systemClock } from '../backend/lib/clock.ts'
import type { BenchRow } from './bench-row.ts'
import { reads } from './context-load.ts'
import { ownerCookie, sendRequest } from './owner-request.ts'
import { median, spread } from './rounds.ts'

const MARKETS = 2_000
/** The caps of the institutional tier: half of the panels are screens of a hundred rows. */
const SCREENS = 100
const PRESETS = 100
const ROUNDS = 60
const BOARD = '/api/dashboard2/market-watch-v2'
const PANELS = '/api/dashboard2/market-watch/panels'
const GOAL = '≤ 150 ms p50'

/** A full board: every preset many times, and screens that all differ. */
function* specs(): Generator<object> {
  const display = { visualization: 'table' }
  for (let i = 0; i < PRESETS; i += 1) {
    const id = PRESET_IDS[i % PRESET_IDS.length]
    yield { kind: 'preset', preset: { id }, display }
  }
  for (let i = 0; i < SCREENS; i += 1) {
    const filters = { probability: { min: i / 1_000, max: 1 } }
    yield { kind: 'screen', sources: ['latest_market_prices'], filters, display }
  }
}

/**
 * Milliseconds until a full board has arrived, for a client without compression and for a browser.
 */
export async function benchMarketWatch(): Promise<BenchRow[]> {
  return reads(MARKETS, async ({ url }, folder) => {
    const cookie = await ownerCookie(url, folder)
    for (const spec of specs()) {
      const headers = { cookie, origin: url }
      const { status, body } = await sendRequest(`${url}${PANELS}`, 'POST', headers, { spec })
      if (status !== 201) throw new Error(`${status} ${body.toString()}`)
    }
    const timed = async (coding: string) => {
      const since = systemClock.monotonic()
      const headers = { cookie, 'accept-encoding': coding }
      const { status, body } = await sendRequest(`${url}${BOARD}`, 'GET', headers)
      if (status !== 200) throw new Error(`${status} ${body.toString()}`)
      return { took: systemClock.monotonic() - since, body }
    }
    await timed('identity')
    const uncompressed = (await timed('identity')).body
    const { panels } = JSON.parse(uncompressed.toString()) as { panels: { payload: unknown }[] }
    const shown = panels.filter(({ payload }) => payload !== null).length
    if (shown !== PRESETS + SCREENS) throw new Error(`${shown} panels show something`)
    const row = async (name: string, coding: string): Promise<BenchRow> => {
      const times: number[] = []
      let size = 0
      for (let round = 0; round < ROUNDS; round += 1) {
        const { took, body } = await timed(coding)
        times.push(took)
        size = body.length
      }
      return {
        name,
        ours: median(times),
        baseline: null,
        unit: 'ms',
        ratio: null,
        goal: GOAL,
        note: `${shown} panels over ${MARKETS} markets, ${(size / 1e6).toFixed(1)} MB sent, ${ROUNDS} rounds, spread ${(spread(times) * 100).toFixed(0)} %`,
      }
    }
    return [
      await row('market watch: a full board, cached', 'identity'),
      await row('market watch: the same for a browser', 'gzip, deflate, br'),
    ]
  })
}
