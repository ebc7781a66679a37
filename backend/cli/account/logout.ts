import { createClient } from '../client.ts'
import { routePath, parseJson } from '../route.ts'
import type { Call, Command } from '../command.ts'
import { updateConfigFile } from '../config-file.ts'
import { beginningOf, problemOfStored } from '../service/config-keys.ts'
import { CliFailure, EXIT, type ExitCode } from '../failure.ts'
import { withoutKey, type StoredKey } from '../settings.ts'

/** `augury logout`: revokes the stored key and removes it from the configuration. */
export const logoutCommand: Command = {
  name: 'logout',
  synopsis: '[--keep-key]',
  summary: 'revoke the stored key and remove it from the file',
  notes: ['  --keep-key      remove it from the file only', ''],
  flags: { 'keep-key': 'switch' },
  repairsConfiguration: true,
  argumentCount: [0, 0],
  async run(call) {
    const { flags, settings, system } = call
    const { stored, hasInvalidKey, configPath } = settings
    if (hasInvalidKey) {
      await updateConfigFile(configPath, system, (config) =>
        problemOfStored('apiKey', config['apiKey']) === null ? config : withoutKey(config),
      )
    }
    if (stored === null) return printResult(call, null, false)
    const isRevoked = !flags.has('keep-key') && (await revoke(call, stored))
    await updateConfigFile(configPath, system, (config) =>
      // A login may have stored another key in the meantime.
      config['apiKey'] === stored.key ? withoutKey(config) : config,
    )
    return printResult(call, stored, isRevoked)
  },
}

/** Returns whether the key was revoked now; an invalid key needs no revoking. @throws CliFailure */
async function revoke({ settings, system }: Call, { key, origin }: StoredKey): Promise<boolean> {
  const client = createClient({
    apiUrl: origin,
    authorization: `Bearer ${key}`,
    timeoutMs: settings.timeoutMs,
    clock: system.clock,
    signal: system.signal,
    waitsForRateLimit: system.isInteractive,
  })
  try {
    const { keyId } = parseJson(await client.get('/api/auth/me')).auth
    if (keyId === null) return false
    await client.send('DELETE', routePath('/api/keys/:id', { id: keyId }))
    return true
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    if (error.exit === EXIT.credential || error.exit === EXIT.missing) return false
    const { exit, code, message, status, details } = error
    throw new CliFailure(exit, code, message, {
      ...(status !== null && { status }),
      details,
      cause: error,
      advice: 'The key is still stored. Remove it without revoking it: augury logout --keep-key',
    })
  }
}

function printResult(
  { flags, settings, system }: Call,
  storedKey: StoredKey | null,
  revoked: boolean,
): ExitCode {
  if (flags.has('json')) {
    const key = storedKey === null ? null : beginningOf(storedKey.key)
    system.print(`${JSON.stringify({ ok: true, key, revoked })}\n`)
  } else if (storedKey === null) {
    system.print(settings.hasInvalidKey ? 'removed: an invalid key\n' : 'no key is stored\n')
  } else system.print(`${revoked ? 'revoked' : 'removed'}: ${beginningOf(storedKey.key)}\n`)
  return EXIT.done
}
