import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SECOND } from '../../backend/domain/units.ts'
import type { Damage } from '../../backend/domain/history-damage.ts'
import { messagesOf } from '../../backend/history/recovery/failure-kind.ts'
import { StoreFailed } from '../../backend/lib/errors.ts'
import { silentLogger } from '../../backend/lib/logger.ts'
import { systemClock } from '../../backend/lib/clock.ts'
import { openStores, type Stores } from '../../backend/app/stores.ts'
import type { TortureCampaign } from './campaign.ts'
import { chanceOf, quantile, type Chance } from './chance.ts'
import { answersOf, judge, type Answers } from './folder-answers.ts'
import { imageClock, makeImages } from './folder-image.ts'
import { scratchFolder } from './leftovers.ts'

/** Seconds. */
const MAX_REPAIR = 60

type Image = 'killed' | 'clean'
/** Files to damage: each kind once, then those with the most data again. */
const TARGETS: readonly { image: Image; files: string }[] = [
  { image: 'killed', files: 'history.duckdb' },
  { image: 'killed', files: 'history.duckdb.wal' },
  { image: 'clean', files: 'state.sqlite' },
  { image: 'killed', files: 'state.sqlite-wal' },
  { image: 'clean', files: 'parquet/**/*.parquet' },
  { image: 'clean', files: 'history.duckdb' },
  { image: 'clean', files: 'parquet/days.jsonl' },
  { image: 'killed', files: 'state.sqlite' },
  { image: 'killed', files: 'history.duckdb.wal' },
  { image: 'clean', files: 'history.duckdb' },
]

interface Round {
  readonly damages: readonly Damage[]
  readonly foundInCopies: number
  readonly isSame: boolean
  readonly wrong: readonly string[]
  readonly opened: boolean
  readonly took: number
}

/**
 * Flips one bit of a stored file, opens the service's stores and reads everything. Either the
 * results are those from before, or the damage is detected, reported, set aside and repaired, and
 * all missing data is in a recorded gap.
 */
export const corruption: TortureCampaign = {
  name: 'corruption',
  about: 'F3: one byte of a stored file is not what was written',
  rounds: 200,
  async run({ rounds, seed, log }) {
    const chance = chanceOf(seed)
    const root = scratchFolder('corruption')
    try {
      await makeImages(root)
      const before = {
        killed: (await openAndRead(root, 'killed', null)).answers,
        clean: (await openAndRead(root, 'clean', null)).answers,
      }
      const done: Round[] = []
      for (let round = 0; round < rounds; round++) {
        const { image, files } = TARGETS[round % TARGETS.length] ?? chance.among(TARGETS)
        const flipped: { name: string } = { name: files }
        const result = await strike(root, image, files, chance, before[image], flipped)
        done.push(result)
        if (!result.opened || result.wrong.length > 0) {
          log(
            `round ${round}, ${image} ${flipped.name}: ${result.opened ? '' : 'did not open '}${result.wrong.slice(0, 3).join(', ')}`,
          )
        }
        if (round % 20 === 19) log(`${round + 1} flips`)
      }
      return figuresOf(done)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  },
}

function figuresOf(done: readonly Round[]) {
  const noticed = done.filter(({ damages, foundInCopies }) => damages.length + foundInCopies > 0)
  const count = (test: (round: Round) => boolean): number => done.filter(test).length
  const wrong = done.reduce((sum, round) => sum + round.wrong.length, 0)
  const unopened = count(({ opened }) => !opened)
  const rows = noticed
    .flatMap(({ damages }) => damages)
    .reduce((sum, one) => sum + one.fromCopies + one.salvaged, 0)
  return [
    { name: 'flips', value: done.length },
    { name: 'found, set aside and repaired', value: noticed.length },
    { name: 'repaired without loss', value: noticed.filter(({ isSame }) => isSame).length },
    {
      name: 'in bytes that mean nothing',
      value: count((one) => one.damages.length + one.foundInCopies === 0 && one.isSame),
    },
    { name: 'wrong answers', value: wrong, goal: '0', met: wrong === 0 },
    { name: 'stores that did not open', value: unopened, goal: '0', met: unopened === 0 },
    { name: 'rows rebuilt', value: rows },
    {
      name: 'opening with recovery p99, ms',
      value: Math.round(
        quantile(
          noticed.map(({ took }) => took),
          0.99,
        ),
      ),
    },
  ]
}

async function strike(
  root: string,
  image: Image,
  files: string,
  chance: Chance,
  before: Answers,
  flipped: { name: string },
): Promise<Round> {
  const flip = (folder: string): void => {
    const name = chance.among(globSync(files, { cwd: folder }).sort())
    const path = join(folder, name)
    const content = readFileSync(path)
    const at = chance.integer(content.length)
    content[at] = (content[at] ?? 0) ^ (1 << chance.integer(8))
    writeFileSync(path, content)
    flipped.name = `${name} at ${at}`
  }
  try {
    const { answers, damages, foundInCopies, took } = await openAndRead(root, image, flip)
    const isReported = damages.length > 0
    return { damages, foundInCopies, took, opened: true, ...judge(before, answers, isReported) }
  } catch (error) {
    return {
      damages: [],
      foundInCopies: 0,
      isSame: false,
      wrong: [messagesOf(error)],
      opened: false,
      took: 0,
    }
  }
}

async function openAndRead(root: string, image: Image, damage: ((folder: string) => void) | null) {
  const folder = join(root, 'struck')
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(root, image), folder, { recursive: true, preserveTimestamps: true })
  damage?.(folder)
  const startedAt = systemClock.monotonic()
  const stores = await openStores(folder, silentLogger, imageClock())
  const took = systemClock.monotonic() - startedAt
  const damages: Damage[] = []
  stores.upkeep?.onDamage((damage) => damages.push(damage))
  try {
    const answers = await answersWhenMended(stores)
    const { signal } = new AbortController()
    const found = (await stores.upkeep?.copies.verify(signal)) ?? []
    await stores.upkeep?.copies.copyDue(signal)
    const left = (await stores.upkeep?.copies.verify(signal)) ?? []
    if (left.length > 0) throw new Error(`copies stay damaged: ${left.join(', ')}`)
    const asideMissing = damages.filter(
      ({ quarantined }) =>
        quarantined !== null &&
        !existsSync(join(folder, quarantined)) &&
        !existsSync(join(folder, `${quarantined}-wal`)),
    )
    if (asideMissing.length > 0) throw new Error('the damaged file is not there any more')
    return { answers, damages, foundInCopies: found.length, took }
  } finally {
    await stores.close()
  }
}

/** Damage found during a read makes reads fail until it is repaired. */
async function answersWhenMended(stores: Stores): Promise<Answers> {
  for (let tries = 1; ; tries++) {
    try {
      return await answersOf(stores)
    } catch (error) {
      if (!(error instanceof StoreFailed) || tries === MAX_REPAIR) throw error
      await systemClock.sleep(SECOND)
    }
  }
}
