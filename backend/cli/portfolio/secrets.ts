import { webcrypto } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  CREDENTIAL_VENUES,
  credentialFields,
  looksLikePrivateKey,
  readCredentials,
} from '../../domain/credentials/credential-fields.ts'
import type { CredentialField } from '../../domain/credentials/credential-field.ts'
import { sealEnvelope } from '../../domain/credentials/envelope.ts'
import type { Venue } from '../../domain/market.ts'
import { venueName, venueOf } from '../../domain/venue.ts'
import type { Client } from '../client.ts'
import type { Call } from '../command.ts'
import { EXIT, usageError, type ExitCode } from '../failure.ts'
import { printBody } from '../print-body.ts'
import { parseJson } from '../route.ts'
import { credentialSetting } from '../service/config-keys.ts'
import { confirm } from '../terminal/confirm.ts'
import { lines, minute } from '../terminal/output.ts'
import { VENUE_VALUES } from '../venue-flag.ts'

const SECRETS = '/api/portfolio/secrets'

/** Flags of `secrets put`. A secret is read from a file or from stdin, never from the command line. */
export const SECRET_FLAGS = {
  'key-id': 'text',
  wallet: 'text',
  'signature-type': 'text',
  funder: 'text',
  'private-key': 'text',
  'api-file': 'text',
  label: 'text',
} as const

/** The flag of each field that is no secret. */
const FLAG_OF: Readonly<Record<string, keyof typeof SECRET_FLAGS>> = {
  keyId: 'key-id',
  walletAddress: 'wallet',
  signatureType: 'signature-type',
  funder: 'funder',
}

/** `augury portfolio secrets`: shows, stores or deletes the credentials of a venue. */
export function secrets(client: Client, call: Call): Promise<ExitCode> {
  const [, verb, name] = call.args
  if (verb === undefined) return show(client, call)
  if (verb === 'put') return storeCredentials(client, call, venueNamed(name))
  if (verb === 'delete') return remove(client, call, name === undefined ? null : venueNamed(name))
  throw usageError(`secrets has no verb "${verb}"`, 'Use put or delete.')
}

async function show(client: Client, { flags, system }: Call): Promise<ExitCode> {
  const { credentials, credentialsUpdatedAt } = parseJson(await client.get('/api/portfolio/config'))
  const presence = { credentials, credentialsUpdatedAt }
  const rows = CREDENTIAL_VENUES.map((venue): [string, string] => {
    const at = credentialsUpdatedAt[venue]
    return [venueName(venue), at === null ? 'none stored' : `stored ${minute(at)}`]
  })
  system.print(flags.has('json') ? `${JSON.stringify(presence)}\n` : `${lines(rows)}\n`)
  return EXIT.done
}

async function storeCredentials(client: Client, call: Call, venue: Venue): Promise<ExitCode> {
  const { flags, system } = call
  refuseOpenNetwork(call)
  const read = readCredentials(venue, await textsOf(call, venue))
  if ('problem' in read) throw usageError(read.problem, adviceFor(read.field))
  await confirm(
    call,
    `The credentials for ${venueName(venue)} are encrypted on this machine. The service never shows them again and decrypts them only while it reads your account or trades for you.`,
    'send',
  )
  const issuedKey = parseJson(await client.send('POST', `${SECRETS}/key`, { venue }))
  const envelope = await sealEnvelope(webcrypto, issuedKey, read.values)
  const label = flags.text('label')
  const response = await client.send('POST', SECRETS, {
    venue,
    uploadId: issuedKey.uploadId,
    envelope,
    ...(label !== null && { label }),
  })
  const message = `Stored the credentials for ${venueName(venue)}.\n`
  system.print(flags.has('json') ? `${response.trimEnd()}\n` : message)
  return EXIT.done
}

async function remove(client: Client, call: Call, venue: Venue | null): Promise<ExitCode> {
  const venuesText = venue === null ? 'every venue' : venueName(venue)
  await confirm(
    call,
    `Deleting the credentials for ${venuesText} ends live trading there and cannot be undone.`,
    'delete',
  )
  const body = await client.send('DELETE', SECRETS, venue === null ? {} : { venue })
  return printBody(call, body, `Deleted the credentials for ${venuesText}.`)
}

function venueNamed(name: string | undefined): Venue {
  const venue = name === undefined ? null : venueOf(name)
  if (venue !== null && CREDENTIAL_VENUES.includes(venue)) return venue
  throw usageError(
    `secrets needs a venue: ${VENUE_VALUES.join(' or ')}`,
    'For example: augury portfolio secrets put kalshi --key-id ID --private-key FILE',
  )
}

/** The texts of a venue's fields from flags, files and settings. */
async function textsOf(call: Call, venue: Venue): Promise<Record<string, string>> {
  const { flags } = call
  const fields = credentialFields(venue)
  const texts: Record<string, string> = {}
  const apiFile = flags.text('api-file')
  if (apiFile !== null) Object.assign(texts, await apiTexts(call, apiFile, fields))
  for (const field of fields) {
    const { name, isSecret, isRequired } = field
    const flag = isSecret && isRequired ? 'private-key' : FLAG_OF[name]
    const setting = credentialSetting(venue, field)
    const value =
      (flag === undefined ? null : flags.text(flag)) ??
      (setting === null ? null : call.settings.venueDefaults.get(setting))
    if (value === null || value === undefined) continue
    refuseSecret(value, flag)
    texts[name] = isSecret ? await contentOf(call, value) : value
  }
  return texts
}

/** The fields of an API key in a file: JSON as the exchange returns it. */
async function apiTexts(
  call: Call,
  path: string,
  fields: readonly CredentialField[],
): Promise<Record<string, string>> {
  refuseSecret(path, 'api-file')
  const content = await contentOf(call, path)
  let parsedJson: unknown
  try {
    parsedJson = JSON.parse(content)
  } catch {
    // The message of the parser repeats the file.
    throw usageError(`${path} is not JSON`)
  }
  const fieldsByName = new Map(Object.entries((parsedJson ?? {}) as Record<string, unknown>))
  const aliases: Readonly<Record<string, string>> = { apiSecret: 'secret' }
  const texts: Record<string, string> = {}
  for (const { name, isRequired } of fields) {
    const value = fieldsByName.get(name) ?? fieldsByName.get(aliases[name] ?? name)
    if (!isRequired && typeof value === 'string') texts[name] = value
  }
  return texts
}

/** The key of an upload would be readable in transit. @throws CliFailure (usage) */
function refuseOpenNetwork({ settings }: Call): void {
  const { protocol, hostname } = new URL(settings.apiUrl)
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  if (settings.apiKey === null || protocol === 'https:' || isLocal) return
  throw usageError(
    `credentials are not sent to ${settings.apiUrl}: http is not encrypted in transit`,
    'Use an https address, or run the command on the machine of the service.',
  )
}

/** @throws CliFailure (usage) without the value, for a key in the place of its path */
function refuseSecret(value: string, flag = 'private-key'): void {
  if (!looksLikePrivateKey(value)) return
  throw usageError(
    `--${flag} holds a private key: name the file that contains it, or - for stdin`,
    'The shell keeps command lines in its history: replace this key at the exchange.',
  )
}

async function contentOf({ system }: Call, path: string): Promise<string> {
  if (path === '-') return system.input()
  return readFile(resolve(system.cwd, path), 'utf8').catch((cause: unknown) => {
    throw usageError(`${path} cannot be read: ${String(cause)}`)
  })
}

const adviceFor = ({ name, isSecret, isRequired }: CredentialField): string =>
  isSecret
    ? isRequired
      ? 'Give it with --private-key FILE, or - for stdin.'
      : 'Give it with --api-file FILE.'
    : `Give it with --${FLAG_OF[name] ?? 'api-file FILE'}.`
