import { holdsWith, propertyFiles } from '../../scripts/property-run.ts'
import type { TortureCampaign, TortureFigure } from './campaign.ts'

/** Every property of the repository with seeds that differ from the fixed one of a push. */
export const properties: TortureCampaign = {
  name: 'properties',
  about: 'all property tests with random seeds, each printed',
  rounds: 5,
  isRandom: true,
  async run({ rounds, seed, log }) {
    const files = propertyFiles()
    const failed: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const roundSeed = seed + round
      log(`round ${round + 1} of ${rounds}: AUGURY_PROPERTY_SEED=${roundSeed}`)
      if (!(await holdsWith(roundSeed, files))) failed.push(roundSeed)
    }
    return [
      { name: 'files with properties', value: files.length },
      { name: 'seeds', value: `${seed} to ${seed + rounds - 1}` },
      {
        name: 'seeds with a counterexample',
        value: failed.join(', ') || 'none',
        goal: 'none',
        met: failed.length === 0,
      },
    ] satisfies TortureFigure[]
  },
}
