import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStores } from '../../backend/app/stores.ts'
import { openSigningKey } from '../../backend/features/access/sessions/signing-key.ts'
import { checkStoreFiles } from '../../backend/features/operations/store-checks.ts'
import { messagesOf } from '../../backend/history/recovery/failure-kind.ts'
import { readDamage, openLosses } from '../../backend/lib/files/damage-journal.ts'
import { silentLogger } from '../../backend/lib/logger.ts'
import type { TortureCampaign } from './campaign.ts'
import { chanceOf } from './chance.ts'
import { DAMAGE_CASES, inflict, nameOfCase, type DamageCase } from './damage-cases.ts'
import { answersOf, judge, type Answers } from './folder-answers.ts'
import { imageClock, makeImages } from './folder-image.ts'
import { scratchFolder } from './leftovers.ts'

type Outcome = 'repaired' | 'repaired and reported' | 'loss reported' | 'silent' | 'did not open'

interface Result {
  readonly outcome: Outcome
  readonly wrong: readonly string[]
  /** The doctor's report and the service's differ. */
  readonly disagree: string | null
}

/**
 * A file of a data folder is emptied, removed, truncated, bit-flipped or replaced by an older
 * version, with and without its recovery sources. After the next start everything is as it was, or
 * missing data is reported; nothing is ever missing silently.
 */
export const damage: TortureCampaign = {
  name: 'damage',
  about: 'F3: a stored file is emptied, removed, cut, changed or replaced by an older one',
  rounds: DAMAGE_CASES.length,
  async run({ rounds, seed, log }) {
    const chance = chanceOf(seed)
    const root = scratchFolder('damage')
    const results: Result[] = []
    try {
      await makeImages(root)
      await openSigningKey(join(root, 'older'), silentLogger)
      for (const image of ['killed', 'clean']) {
        cpSync(join(root, 'older', 'secrets'), join(root, image, 'secrets'), { recursive: true })
      }
      const before = {
        killed: await readImage(root, 'killed'),
        clean: await readImage(root, 'clean'),
      }
      const order = rounds >= DAMAGE_CASES.length ? DAMAGE_CASES : someOf(rounds, chance)
      for (const one of order) {
        const result = await strike(root, one, before[one.image])
        if (result === null) continue
        results.push(result)
        const isBad = ['silent', 'did not open'].includes(result.outcome)
        const bad = [...result.wrong.slice(0, 3), result.disagree ?? ''].filter(Boolean)
        if (isBad || bad.length > 0) log(`${nameOfCase(one)}: ${result.outcome} ${bad.join(', ')}`)
      }
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
    return figuresOf(results)
  },
}

const someOf = (rounds: number, chance: ReturnType<typeof chanceOf>): DamageCase[] =>
  Array.from({ length: rounds }, () => chance.among(DAMAGE_CASES))

function figuresOf(results: readonly Result[]) {
  const count = (outcome: Outcome): number =>
    results.filter((one) => one.outcome === outcome).length
  const none = (name: string, value: number) => ({ name, value, goal: '0', met: value === 0 })
  return [
    { name: 'cases', value: results.length },
    { name: 'repaired, nothing missing', value: count('repaired') },
    { name: 'repaired and reported', value: count('repaired and reported') },
    { name: 'loss reported', value: count('loss reported') },
    none('silent', count('silent')),
    none('did not open', count('did not open')),
    none(
      'wrong rows',
      results.reduce((sum, { wrong }) => sum + wrong.length, 0),
    ),
    none('doctor and service disagree', results.filter(({ disagree }) => disagree !== null).length),
  ]
}

async function readImage(root: string, image: DamageCase['image']): Promise<Answers> {
  const folder = copyOfImage(root, image)
  const { answers } = await openAndRead(folder)
  return answers
}

/** Null when the image has no such file. */
async function strike(root: string, one: DamageCase, before: Answers): Promise<Result | null> {
  const folder = copyOfImage(root, one.image)
  const key = keyIn(folder)
  if (!inflict(root, folder, one)) return null
  try {
    const offline = await checkStoreFiles(folder, imageClock().now())
    const { answers, messages } = await openAndRead(folder)
    const isKeySame = keyIn(folder) === key
    const isReported = readDamage(folder).length + messages.length > 0
    const { isSame, wrong } = judge(before, answers, isReported)
    const isWhole = isSame && isKeySame
    const outcome = isWhole
      ? isReported
        ? 'repaired and reported'
        : 'repaired'
      : isReported
        ? 'loss reported'
        : 'silent'
    return { outcome, wrong, disagree: disagreement(offline, await after(folder), folder) }
  } catch (error) {
    return { outcome: 'did not open', wrong: [messagesOf(error)], disagree: null }
  }
}

type Checks = Awaited<ReturnType<typeof checkStoreFiles>>

const after = (folder: string): Promise<Checks> => checkStoreFiles(folder, imageClock().now())

/** Findings of the doctor before and after the start, beside the service's report. */
function disagreement(before: Checks, later: Checks, folder: string): string | null {
  const fails = (checks: Checks, name: string): boolean =>
    checks.some((check) => check.name === name && check.state === 'fail')
  const found = readDamage(folder).map(({ store }) => store)
  if (fails(before, 'state') && !found.includes('state')) return 'the doctor alone finds the state'
  if (fails(later, 'state') || fails(later, 'history')) return 'a store fails after its repair'
  const isLost = openLosses(folder).length > 0
  return isLost === fails(later, 'losses')
    ? null
    : 'the doctor and the status page disagree on losses'
}

function copyOfImage(root: string, image: string): string {
  const folder = join(root, 'struck')
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(root, image), folder, { recursive: true, preserveTimestamps: true })
  return folder
}

const keyIn = (folder: string): string => {
  const path = join(folder, 'secrets', 'session.jwk')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

async function openAndRead(folder: string) {
  const messages: string[] = []
  const stores = await openStores(folder, silentLogger, imageClock())
  try {
    await openSigningKey(folder, silentLogger, {
      hadSessions: true,
      onReplaced: (reason) => messages.push(reason),
    })
    const answers = await answersOf(stores)
    const { signal } = new AbortController()
    await stores.upkeep?.copies.verify(signal)
    await stores.upkeep?.copies.copyDue(signal)
    const left = (await stores.upkeep?.copies.verify(signal)) ?? []
    if (left.length > 0) throw new Error(`copies stay damaged: ${left.join(', ')}`)
    return { answers, messages }
  } finally {
    await stores.close()
  }
}
