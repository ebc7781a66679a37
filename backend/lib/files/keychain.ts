import type { Keychain } from './installation-key.ts'

const SERVICE = 'Augury'

/**
 * The keychain of macOS, the Credential Manager of Windows, or the Secret Service of a Linux desktop
 * (GNOME Keyring, KWallet). Linux's kernel keyring is not used: it is empty after a restart.
 */
export const systemKeychain: Keychain = {
  read: async (entry) => (await open(entry)).getPassword(),
  write: async (entry, secret) => (await open(entry)).setPassword(secret),
}

/** The library is loaded only by a service that needs it. */
async function open(entry: string) {
  const { AsyncEntry } = await import('@napi-rs/keyring')
  return new AsyncEntry(SERVICE, entry, { linux: { store: 'secret-service' } })
}
