import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { replaceFile } from './durable-file.ts'

/** 32 random bytes in base64url. */
const KEY = /^[\w-]{43}$/
/** Content of the key's file while the key itself is in the keychain. */
const REFERENCE = /^keychain:([0-9a-f]{32})$/

/**
 * Where the key of an installation is stored: `keychain` and `file` move it there, `auto` leaves it
 * where it is and puts a new key in the keychain where there is one.
 */
export type KeyStore = 'auto' | 'keychain' | 'file'

/** The secret store of the operating system, for the user who runs the process. */
export interface Keychain {
  /** Null when it has no such entry; rejects when it cannot be read, for example while locked. */
  read(entry: string): Promise<string | null>
  write(entry: string, secret: string): Promise<void>
}

/** The key cannot be read or moved; the message states why and what to do. */
export class InstallationKeyProblem extends Error {
  override readonly name = 'InstallationKeyProblem'
}

const pathOf = (dataDir: string): string => join(dataDir, 'secrets', 'installation.key')

/**
 * The key of an installation, with which secrets of users are encrypted at rest. It is created when
 * the data folder has none. `DATA/secrets/installation.key` holds it, or names the entry of the
 * keychain that does; its owner alone can read the file.
 * @throws InstallationKeyProblem if the file is damaged, the keychain does not have the key, or
 * `keyStore` requires a keychain and none can be used
 */
export async function openInstallationKey(
  dataDir: string,
  keyStore: KeyStore,
  keychain: Keychain,
): Promise<string> {
  const path = pathOf(dataDir)
  const content = readContent(path)
  if (content === null) return createKey(path, keyStore, keychain)
  const entry = REFERENCE.exec(content)?.[1]
  if (entry === undefined) {
    const key = validKey(content, path)
    if (keyStore === 'keychain') await moveToKeychain(key, path, keychain)
    return key
  }
  const key = await readEntry(entry, path, keychain)
  // The entry stays: backups and copies of the folder may name it.
  if (keyStore === 'file') replaceFile(path, key)
  return key
}

/** The same for a service that never uses a keychain. */
export function installationKeyInFile(dataDir: string): string {
  const path = pathOf(dataDir)
  return validKey(readContent(path) ?? createFile(path), path)
}

async function createKey(path: string, keyStore: KeyStore, keychain: Keychain): Promise<string> {
  if (keyStore === 'file') return createFile(path)
  const key = newKey()
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    await moveToKeychain(key, path, keychain)
  } catch (error) {
    if (keyStore === 'keychain') throw error
    writeFileSync(path, key, { flag: 'wx', mode: 0o600 })
  }
  return key
}

/** The file keeps the key until the keychain has been read back. */
async function moveToKeychain(key: string, path: string, keychain: Keychain): Promise<void> {
  const entry = randomBytes(16).toString('hex')
  try {
    await keychain.write(entry, key)
    if ((await keychain.read(entry)) !== key) throw new Error('it did not keep the key')
  } catch (error) {
    throw new InstallationKeyProblem(
      `AUGURY_KEY_STORE=keychain: the keychain cannot be used (${textOf(error)}). Unlock it and start again, or start without this setting`,
      { cause: error },
    )
  }
  replaceFile(path, `keychain:${entry}`)
}

async function readEntry(entry: string, path: string, keychain: Keychain): Promise<string> {
  let key: string | null
  try {
    key = await keychain.read(entry)
  } catch (error) {
    throw new InstallationKeyProblem(
      `The key of this data folder is in the keychain, which cannot be read (${textOf(error)}). Unlock it and start again`,
      { cause: error },
    )
  }
  if (key !== null) return validKey(key, `entry ${entry} of the keychain`)
  throw new InstallationKeyProblem(
    `The keychain of this user has no entry ${entry}, the key of this data folder. Start as the user and on the machine that created it. If they are gone, remove ${path}: the next start creates a new key, and credentials of exchanges and secrets of webhooks have to be entered again`,
  )
}

function createFile(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const key = newKey()
  writeFileSync(path, key, { flag: 'wx', mode: 0o600 })
  return key
}

function validKey(text: string, source: string): string {
  if (KEY.test(text)) return text
  throw new InstallationKeyProblem(
    REFERENCE.test(text)
      ? `${source} names an entry of the keychain, which is not used here`
      : `${source} is damaged: restore it from a backup`,
  )
}

function readContent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

const newKey = (): string => randomBytes(32).toString('base64url')

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
