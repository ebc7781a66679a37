import { app, type CommandSpec } from './command-spec.ts'

export const USAGE_PERIODS = ['1d', '7d', '30d', '90d', '365d'] as const
export const SETTINGS_PARTS = ['look', 'keys', 'sources', 'data'] as const
export type SettingsPart = (typeof SETTINGS_PARTS)[number]

/** Rows about the user: keys, usage, settings and session. They open panes; none writes. */
export const ACCOUNT_COMMANDS: readonly CommandSpec[] = [
  app({
    verb: 'KEY',
    aliases: ['KEYS'],
    title: 'API keys',
    effect: 'read',
    route: '/api/keys',
    help: 'API keys for programs: create, list with last use, revoke',
    example: 'KEY',
  }),
  app({
    verb: 'USE',
    aliases: ['USAGE'],
    title: 'Usage',
    effect: 'read',
    route: '/api/dashboard/usage',
    args: [{ name: 'period', kind: 'enum', values: USAGE_PERIODS, help: 'how far back' }],
    help: 'Your requests by day, route and key, and the current use of each limit',
    example: 'USE 7d',
  }),
  app({
    verb: 'SET',
    aliases: ['SETTINGS'],
    title: 'Settings',
    args: [{ name: 'part', kind: 'enum', values: SETTINGS_PARTS, help: 'which settings' }],
    help: 'Appearance, keyboard shortcuts, sources, and the data folder with its backup',
    example: 'SET keys',
  }),
  app({
    verb: 'ACCOUNT',
    aliases: ['LOGIN', 'SIGNIN', 'SIGNUP', 'SIGNOUT', 'WHOAMI'],
    title: 'Account',
    effect: 'read',
    route: '/api/auth/me',
    help: 'Your account: sign in, sign out, open sessions',
    example: 'ACCOUNT',
  }),
]
