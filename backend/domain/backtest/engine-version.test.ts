import { createHash } from 'node:crypto'
import fc from '../../../scripts/properties.ts'
import { expect, it } from 'vitest'
import { scenarios } from '../../testing/backtest/random-scenario.ts'
import { play, scripted } from '../../testing/backtest/scenario.ts'
import { ENGINE_VERSION } from './engine-version.ts'

/** Digest of the results of the same 200 runs, by engine version. */
const DIGESTS: Readonly<Record<number, string>> = {
  1: 'b08c61e254d53200',
}

it('[backtest.engine.version] other results have another version', () => {
  const hash = createHash('sha256')
  // Always the same runs, whatever the seed of the other properties.
  for (const scenario of fc.sample(scenarios, { seed: 20_261_129, numRuns: 200 })) {
    const { fills, cash, equity, open } = play(scenario, scripted(scenario.actions))
    const columns = [fills.at, fills.order, fills.price, fills.size, fills.fee, fills.isMaker]
    hash.update(JSON.stringify([columns.map((column) => [...column]), cash, equity, open]))
  }
  expect(hash.digest('hex').slice(0, 16)).toBe(DIGESTS[ENGINE_VERSION])
})
