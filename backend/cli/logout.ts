import { createClient } from './client.ts'
import type { Call, Command } from './command.ts'
import { updateConfigFile } from './config-file.ts'
import { beginningOf, faultOfHeld } from './config-keys.ts'
import { CliFailure, EXIT, type ExitCode } from './failure.ts'
import { withoutKey, type StoredKey } from './settings.ts'

/** `augury logout`: the stored key is revoked and forgotten. */
export const logoutCommand: Command = {
  name: 'logout',
  synopsis: '[--keep-key]',
  summary: 'revokes the stored key and removes it from the file',
  notes: ['  --keep-key      removes it from the file alone', ''],
  flags: { 'keep-key': 'switch' },
  isCure: true,
  words: [0, 0],
  async run(call) {
    const { flags, settings, around } = call
    const { stored, holdsBadKey, configPath } = settings
    if (holdsBadKey) {
      await updateConfigFile(configPath, around, (config) =>
        faultOfHeld('apiKey', config['apiKey']) === null ? config : withoutKey(config),
      )
    }
    if (stored === null) return told(call, null, false)
    const revoked = !flags.on('keep-key') && (await revoke(call, stored))
    await updateConfigFile(configPath, around, (config) =>
      // A login may have stored another key meanwhile.
      config['apiKey'] === stored.key ? withoutKey(config) : config,
    )
    return told(call, stored, revoked)
  },
}

/** Whether it was revoked now; one that no longer counts needs no revoking. @throws CliFailure */
async function revoke({ settings, around }: Call, { key, origin }: StoredKey): Promise<boolean> {
  const client = createClient({
    ...{ apiUrl: origin, authorization: `Bearer ${key}`, timeoutMs: settings.timeoutMs },
    ...{ clock: around.clock, signal: around.signal, waits: around.isInteractive },
  })
  try {
    const me = JSON.parse(await client.get('/api/auth/me')) as { auth: { keyId: string | null } }
    const { keyId } = me.auth
    if (keyId === null) return false
    await client.send('DELETE', `/api/keys/${encodeURIComponent(keyId)}`)
    return true
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    if (error.exit === EXIT.credential || error.exit === EXIT.missing) return false
    const { exit, code, message, status, details } = error
    throw new CliFailure(exit, code, message, {
      ...{ ...(status !== null && { status }), details, cause: error },
      advice: 'The key is kept. Forget it without revoking it: augury logout --keep-key',
    })
  }
}

function told(
  { flags, settings, around }: Call,
  stored: StoredKey | null,
  revoked: boolean,
): ExitCode {
  if (flags.on('json')) {
    const key = stored === null ? null : beginningOf(stored.key)
    around.print(`${JSON.stringify({ ok: true, key, revoked })}\n`)
  } else if (stored === null) {
    around.print(settings.holdsBadKey ? 'removed: what was no key\n' : 'no key is stored\n')
  } else around.print(`${revoked ? 'revoked' : 'removed'}: ${beginningOf(stored.key)}\n`)
  return EXIT.done
}
