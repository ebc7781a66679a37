import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const VALID = /^[\w-]{43}$/

/**
 * The key of an installation, with which secrets of users are encrypted at rest: `DATA/secrets/
 * installation.key`, created when it is first needed and readable by its owner only.
 * @throws Error if the file is damaged: secrets that it encrypted are lost without it
 */
export function installationKey(dataDir: string): string {
  const path = join(dataDir, 'secrets', 'installation.key')
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const text = readFileSync(path, 'utf8').trim()
  if (!VALID.test(text)) throw new Error(`${path} is damaged: restore it from a backup`)
  return text
}
