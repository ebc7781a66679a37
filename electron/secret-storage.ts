import type { SecretStorage } from './bridge.ts'

/** Backends of Electron's safeStorage on Linux that keep their key in a keyring. */
const KEYRINGS = ['gnome_libsecret', 'kwallet', 'kwallet5', 'kwallet6']

/**
 * Where secrets may be stored. On Linux the backend `basic_text` encrypts with a publicly known
 * key, which is as good as none: secrets are then kept in memory until the app ends.
 * @param backend the one that safeStorage reports; queried on Linux only
 */
export function secretStorageOf(
  platform: NodeJS.Platform,
  isAvailable: boolean,
  backend: string | null,
): SecretStorage {
  if (!isAvailable) {
    return memory('The system has no secure storage for secrets')
  }
  if (platform !== 'linux') {
    const store = platform === 'darwin' ? 'the keychain' : 'the protected storage of your account'
    return { kind: 'system', text: `Secrets are encrypted by ${store}` }
  }
  if (backend !== null && KEYRINGS.includes(backend)) {
    return { kind: 'system', text: 'Secrets are encrypted by the keyring of your desktop' }
  }
  return memory('No keyring is running')
}

const memory = (why: string): SecretStorage => ({
  kind: 'memory',
  text: `${why}: secrets are kept in memory only and have to be entered again after a restart`,
})
