import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  InstallationKeyProblem,
  installationKeyInFile,
  openInstallationKey,
  type Keychain,
} from './installation-key.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-key-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const path = (): string => join(folder, 'secrets', 'installation.key')
const content = (): string => readFileSync(path(), 'utf8')

function memoryKeychain(): Keychain & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>()
  return {
    entries,
    read: (entry) => Promise.resolve(entries.get(entry) ?? null),
    write: async (entry, secret) => void entries.set(entry, secret),
  }
}

const locked: Keychain = {
  read: () => Promise.reject(new Error('it is locked')),
  write: () => Promise.reject(new Error('it is locked')),
}

/** Stores whatever it is given, and returns something else. */
const forgetful: Keychain = { ...memoryKeychain(), read: () => Promise.resolve(null) }

const KEY = /^[\w-]{43}$/

// [portfolio.secrets.keychain]
describe('the key of an installation', () => {
  it('is put in the keychain when it is created, and its file names the entry only', async () => {
    const keychain = memoryKeychain()
    const key = await openInstallationKey(folder, 'auto', keychain)
    expect(key).toMatch(KEY)
    expect([...keychain.entries.values()]).toEqual([key])
    expect(content()).toBe(`keychain:${[...keychain.entries.keys()][0]}`)
    expect(await openInstallationKey(folder, 'auto', keychain)).toBe(key)
  })

  it.each([
    ['there is no keychain', 'auto', locked],
    ['the keychain does not keep it', 'auto', forgetful],
    ['the setting says so', 'file', memoryKeychain()],
  ] as const)('is put in a file of its owner when %s', async (_when, store, keychain) => {
    const key = await openInstallationKey(folder, store, keychain)
    expect(content()).toBe(key)
    if (process.platform !== 'win32') expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(await openInstallationKey(folder, 'auto', memoryKeychain())).toBe(key)
    expect(installationKeyInFile(folder)).toBe(key)
  })

  it('stays in its file unless the setting moves it, and moves back', async () => {
    const key = installationKeyInFile(folder)
    const keychain = memoryKeychain()
    expect(await openInstallationKey(folder, 'auto', keychain)).toBe(key)
    expect(keychain.entries.size).toBe(0)
    expect(await openInstallationKey(folder, 'keychain', keychain)).toBe(key)
    expect([...keychain.entries.values()]).toEqual([key])
    expect(content()).not.toContain(key)
    expect(await openInstallationKey(folder, 'file', keychain)).toBe(key)
    expect(content()).toBe(key)
    // A backup may name the entry.
    expect(keychain.entries.size).toBe(1)
  })

  it.each([
    ['locked', locked],
    ['forgetful', forgetful],
  ] as const)('stays in its file when a %s keychain is required', async (_kind, keychain) => {
    const key = installationKeyInFile(folder)
    await expect(openInstallationKey(folder, 'keychain', keychain)).rejects.toThrow(
      /AUGURY_KEY_STORE=keychain: the keychain cannot be used \(.+\)\. Unlock it and start again/,
    )
    expect(content()).toBe(key)
  })

  it('is not replaced while its keychain is locked, or has lost it', async () => {
    const keychain = memoryKeychain()
    const key = await openInstallationKey(folder, 'auto', keychain)
    await expect(openInstallationKey(folder, 'auto', locked)).rejects.toThrow(
      /is in the keychain, which cannot be read \(it is locked\)\. Unlock it and start again/,
    )
    await expect(openInstallationKey(folder, 'auto', memoryKeychain())).rejects.toThrow(
      /has no entry [0-9a-f]{32}, the key of this data folder/,
    )
    expect(await openInstallationKey(folder, 'auto', keychain)).toBe(key)
  })

  it('in the keychain is not taken for a key by a service without one', async () => {
    await openInstallationKey(folder, 'auto', memoryKeychain())
    expect(() => installationKeyInFile(folder)).toThrow(/names an entry of the keychain/)
  })

  it('that is damaged is refused and left as it is', async () => {
    mkdirSync(join(folder, 'secrets'))
    writeFileSync(path(), 'half a key')
    await expect(openInstallationKey(folder, 'keychain', memoryKeychain())).rejects.toThrow(
      InstallationKeyProblem,
    )
    expect(content()).toBe('half a key')
  })
})

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0
const hasKeyring =
  process.platform === 'linux' && has('gnome-keyring-daemon') && has('dbus-run-session')

// [portfolio.secrets.keychain]
describe.runIf(hasKeyring)('with a real keyring', () => {
  /** Opens the key in a session of its own, whose keyring has been unlocked with the password. */
  function inSession(password: string): { readonly out: string; readonly error: string } {
    const modules = JSON.stringify(import.meta.dirname)
    const program = `
      const { openInstallationKey } = await import(${modules} + '/installation-key.ts')
      const { systemKeychain } = await import(${modules} + '/keychain.ts')
      process.stdout.write(await openInstallationKey(process.argv[1], 'auto', systemKeychain))`
    const script = `
      export XDG_DATA_HOME="$5"
      printf %s "$1" | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
      exec "$2" --input-type=module -e "$3" "$4"`
    const result = spawnSync(
      'dbus-run-session',
      [
        '--',
        'sh',
        '-c',
        script,
        'sh',
        password,
        process.execPath,
        program,
        folder,
        join(folder, 'home'),
      ],
      { encoding: 'utf8' },
    )
    return { out: result.stdout, error: result.stderr }
  }

  it('the key survives the session, and a wrong password does not replace it', () => {
    const first = inSession('open sesame')
    expect(first.out).toMatch(KEY)
    expect(content()).toMatch(/^keychain:/)
    expect(inSession('open sesame').out).toBe(first.out)
    const refused = inSession('something else')
    expect(refused.out).toBe('')
    expect(refused.error).toMatch(/is in the keychain, which cannot be read/)
    expect(inSession('open sesame').out).toBe(first.out)
  })
})
