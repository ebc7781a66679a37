import { covered, type Requirement } from './requirement.ts'

/** The `augury` command as a client: its file, its login, its reads and what it prints. */
export const COMMAND_LINE: readonly Requirement[] = [
  covered('client.config-file.private', '2.15', 'the configuration file is for its owner alone'),
  covered('client.config-file.tightened', '2.15', 'looser modes are tightened, with a line each'),
  covered('client.config-file.unknown-kept', '2.15', 'keys that are not known are kept'),
  covered('client.config-file.broken-untouched', '2.15', 'a broken file ends with 2, untouched'),
  covered('client.config-file.curable', '2.15', 'a bad value stops no command that mends it'),
  covered('client.config-file.at-once', '2.15', 'of changes made at once none is lost'),
  covered('client.config-file.secrets-hidden', '2.15', 'secrets show their beginning alone'),
  covered('client.config-file.key-origin', '2.15', 'a key goes to the origin it was stored for'),
  covered('client.config-file.precedence', '2.15', 'the line over the environment over the file'),
  covered('client.login.handshake', '4.4', 'login shows address and code, polls, stores the key'),
  covered('client.login.expired', '4.4', 'a login that nobody approved ends with 5'),
  covered('client.login.key-unshown', '4.4', 'login shows the key’s beginning alone'),
  covered('client.login.local', '4.4', 'login --local needs the data folder and no browser'),
  covered(
    'client.login.logout',
    '4.4',
    'logout revokes and forgets the key; --keep-key forgets it',
  ),
  covered(
    'client.login.whoami',
    '4.4',
    'whoami says whose key is used; without one it ends with 4',
  ),
  covered('client.cli.every-read', '1', 'every read verb answers, as text and as JSON'),
  covered('client.cli.true-flags', '1', 'every flag of a read stands for a parameter of its route'),
  covered('client.cli.all-pages', '1', '--all answers with every page as one document'),
  covered('client.cli.follow', '1', 'delta --watch goes on from where the last one ended'),
  covered('client.cli.keys', '1', 'service keys are made, listed and revoked by the stored key'),
  covered('client.cli.usage', '1', 'usage prints totals, days, routes, keys and limits'),
  covered('client.cli.tables', '1', 'tables stay aligned whatever letters titles have'),
  covered('client.cli.foreign-text', '1', 'foreign text does not steer the terminal'),
  covered('client.cli.terminal-only', '1', 'colours and sparklines are for terminals alone'),
  covered('client.cli.completion', '1', 'shells complete commands, flags and values'),
  covered('client.cli.help', '1', 'help lists every command and flag'),
]
