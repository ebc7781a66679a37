import type { SecretPlace } from './bridge.ts'

/** Backends of Electron's safeStorage on Linux that keep their key in a keyring. */
const KEYRINGS = ['gnome_libsecret', 'kwallet', 'kwallet5', 'kwallet6']

/**
 * Where secrets may be kept. On Linux the backend `basic_text` encrypts with a key that everybody
 * knows, which is as good as none: secrets then live in memory until the app ends.
 * @param backend what safeStorage says it uses; asked on Linux only
 */
export function secretPlace(
  platform: NodeJS.Platform,
  isAvailable: boolean,
  backend: string | null,
): SecretPlace {
  if (!isAvailable) {
    return memory('The system offers no safe store for secrets')
  }
  if (platform !== 'linux') {
    const store = platform === 'darwin' ? 'the keychain' : 'the protected storage of your account'
    return { kind: 'system', words: `Secrets are encrypted by ${store}` }
  }
  if (backend !== null && KEYRINGS.includes(backend)) {
    return { kind: 'system', words: 'Secrets are encrypted by the keyring of your desktop' }
  }
  return memory('No keyring is running')
}

const memory = (why: string): SecretPlace => ({
  kind: 'memory',
  words: `${why}: they are kept in memory only and asked for again after a restart`,
})
