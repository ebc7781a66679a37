import { backtestCommand } from './backtest/backtest.ts'
import { backupCommand } from './service/backup.ts'
import type { Command, CommandListing } from './command.ts'
import { completionCommand } from './completion/completion.ts'
import { configCommand } from './service/config.ts'
import { deltaCommand } from './reads/delta.ts'
import { doctorCommand } from './service/doctor.ts'
import { exportCommand } from './service/export.ts'
import { importCommand } from './service/import.ts'
import { intentsCommand } from './portfolio/intents.ts'
import { keysCommand } from './account/keys.ts'
import { loginCommand } from './account/login.ts'
import { logoutCommand } from './account/logout.ts'
import { openCommand } from './service/open.ts'
import { portfolioCommand } from './portfolio/portfolio.ts'
import { CANDLES } from './reads/candles.ts'
import { INDICES } from './reads/indices.ts'
import { MARKET } from './reads/market.ts'
import { MARKET_LISTS } from './reads/market-lists.ts'
import { OPPORTUNITIES } from './reads/opportunities.ts'
import { QUERY } from './reads/query.ts'
import { readCommand } from './reads/read-command.ts'
import type { Read } from './reads/read.ts'
import { USAGE } from './reads/usage.ts'
import { WORLD_READS } from './reads/world.ts'
import { replayCommand } from './service/replay.ts'
import { restoreCommand } from './service/restore.ts'
import { sqlCommand } from './service/sql.ts'
import { whoamiCommand } from './account/whoami.ts'
import { forumCommand } from './forum/forum.ts'
import { thesisCommand } from './thesis/thesis.ts'
import { alertsCommand } from './watch/alerts.ts'
import { webhooksCommand } from './watch/webhooks.ts'
import { watchCommand } from './watch/watch.ts'

/** Commands listed together in the help. */
export interface Group {
  readonly title: string
  readonly commands: readonly (Command | CommandListing)[]
}

/** The backend parses its own flags: the arguments are passed through unchanged. */
export const SERVE: CommandListing = {
  name: 'serve',
  summary: 'run the backend in the foreground; flags: augury serve --help',
  flags: {},
}

/** Every read that is defined as data. */
export const READS: readonly Read[] = [
  ...WORLD_READS,
  QUERY,
  ...MARKET_LISTS,
  MARKET,
  CANDLES,
  ...OPPORTUNITIES,
  ...INDICES,
  USAGE,
]

const readCommands = (...reads: readonly Read[]): readonly Command[] => reads.map(readCommand)

/** Every command in the order of the help. */
export const GROUPS: readonly Group[] = [
  { title: 'The world', commands: [...readCommands(...WORLD_READS, QUERY), deltaCommand] },
  { title: 'Markets', commands: readCommands(...MARKET_LISTS, MARKET, CANDLES) },
  { title: 'Market data', commands: readCommands(...OPPORTUNITIES, ...INDICES) },
  { title: 'Paper trading', commands: [intentsCommand, portfolioCommand] },
  { title: 'Watch and alerts', commands: [watchCommand, alertsCommand, webhooksCommand] },
  { title: 'Theses', commands: [thesisCommand] },
  { title: 'Forum', commands: [forumCommand] },
  {
    title: 'Account and keys',
    commands: [
      loginCommand,
      logoutCommand,
      whoamiCommand,
      keysCommand,
      ...readCommands(USAGE),
      configCommand,
    ],
  },
  {
    title: 'The service and its data folder',
    commands: [
      SERVE,
      openCommand,
      importCommand,
      exportCommand,
      sqlCommand,
      backtestCommand,
      replayCommand,
      backupCommand,
      restoreCommand,
      doctorCommand,
    ],
  },
  { title: 'The shell', commands: [completionCommand(() => COMMANDS)] },
]

export const COMMANDS: readonly CommandListing[] = GROUPS.flatMap(({ commands }) => commands)

/** Returns the command of a name; null for an unknown name and for `serve`. */
export const commandOf = (name: string): Command | null =>
  COMMANDS.find((listing): listing is Command => listing.name === name && 'run' in listing) ?? null
