import { covered, type Requirement } from './requirement.ts'

/** The `augury` command as a client: its file, its login, its reads and its output. */
export const COMMAND_LINE: readonly Requirement[] = [
  covered(
    'client.config-file.private',
    '2.15',
    'the configuration file is readable by its owner only',
  ),
  covered('client.config-file.tightened', '2.15', 'looser modes are restricted, with a line each'),
  covered('client.config-file.unknown-kept', '2.15', 'unknown keys are kept'),
  covered('client.config-file.broken-untouched', '2.15', 'an invalid file ends with 2, unchanged'),
  covered('client.config-file.curable', '2.15', 'a bad value blocks no command that repairs it'),
  covered('client.config-file.at-once', '2.15', 'concurrent changes are never lost'),
  covered('client.config-file.secrets-hidden', '2.15', 'secrets show their prefix only'),
  covered('client.config-file.key-origin', '2.15', 'a key is sent to the origin it was stored for'),
  covered('client.config-file.precedence', '2.15', 'flags over the environment over the file'),
  covered('client.login.handshake', '4.4', 'login shows address and code, polls, stores the key'),
  covered('client.login.expired', '4.4', 'a login that nobody approved ends with 5'),
  covered('client.login.key-unshown', '4.4', 'login shows the key’s prefix only'),
  covered('client.login.json', '1', 'login --json prints one document per line, a failure as one'),
  covered('client.login.local', '4.4', 'login --local requires the data folder and no browser'),
  covered(
    'client.login.logout',
    '4.4',
    'logout revokes and removes the key; --keep-key only removes it',
  ),
  covered(
    'client.login.whoami',
    '4.4',
    'whoami shows whose key is used; without one it ends with 4',
  ),
  covered('client.cli.every-read', '1', 'every read command prints text and JSON'),
  covered('client.cli.true-flags', '1', 'every flag of a read maps to a parameter of its route'),
  covered('client.cli.all-pages', '1', '--all prints every page as one document'),
  covered('client.cli.follow', '1', 'delta --watch continues from where the last one ended'),
  covered(
    'client.cli.keys',
    '1',
    'service keys are created, listed and revoked with the stored key',
  ),
  covered('client.cli.usage', '1', 'usage prints totals, days, routes, keys and limits'),
  covered('client.cli.tables', '1', 'tables stay aligned with any script'),
  covered('client.cli.foreign-text', '1', 'foreign text does not control the terminal'),
  covered('client.cli.terminal-only', '1', 'colours and sparklines are for terminals only'),
  covered('client.cli.completion', '1', 'shells complete commands, flags and values'),
  covered('client.cli.help', '1', 'help lists every command and flag'),
  covered('cli.foreground.ends', '7', 'a service on a terminal ends with the command that runs it'),
]
