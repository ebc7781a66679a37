import { covered, type Requirement } from './requirement.ts'

/** Credentials of venues: encrypted by the client, stored as ciphertext, opened by a tick only. */
export const CREDENTIALS: readonly Requirement[] = [
  covered('portfolio.secrets.envelope', '5', 'credentials are encrypted before they are sent'),
  covered('portfolio.secrets.fields', '5', 'credentials are checked before they are encrypted'),
  covered('portfolio.secrets.key', '5', 'each upload has a key of its own for ten minutes'),
  covered('portfolio.secrets.once', '5', 'a key is used once, also over a restart'),
  covered('portfolio.secrets.stored', '5', 'credentials are stored, shown as present and replaced'),
  covered('portfolio.secrets.refused', '5', 'an upload that is no envelope is refused'),
  covered('portfolio.secrets.clear', '5', 'a private key in clear is refused and not stored'),
  covered('portfolio.secrets.owner', '5', 'an upload needs a key of the caller'),
  covered('portfolio.secrets.deleted', '5', 'credentials of a venue, or of all, are deleted'),
  covered('portfolio.secrets.live', '5', 'live trading ends with the last credentials'),
  covered('portfolio.secrets.opened', '5', 'opened credentials are erased after use'),
  covered('portfolio.secrets.unreadable', '5', 'credentials that do not open are reported as such'),
  covered('portfolio.secrets.bound', '5', 'an envelope opens for its user and venue only'),
  covered('portfolio.secrets.rotated', '5', 'a new account secret makes old envelopes unreadable'),
  covered(
    'portfolio.secrets.keychain',
    '5',
    'the key of an installation is in the keychain of the system',
  ),
  covered('portfolio.secrets.account', '5', 'a deleted account leaves no credentials behind'),
  covered(
    'client.cli.secrets',
    '7.3',
    'the command line encrypts credentials and sends ciphertext',
  ),
  covered(
    'terminal.portfolio.secrets',
    'ui',
    'credentials are encrypted in the page after a typed word',
  ),
  covered(
    'portfolio.secrets.memory',
    '5',
    'erased credentials are in no memory, snapshot or crash report',
  ),
  covered(
    'portfolio.secrets.files',
    '5',
    'no file, backup or answer contains credentials in clear',
  ),
]
