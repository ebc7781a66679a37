import { backtestCommand } from './backtest.ts'
import { backupCommand } from './backup.ts'
import type { Command, Listed } from './command.ts'
import { completionCommand } from './completion/completion.ts'
import { configCommand } from './config.ts'
import { deltaCommand } from './delta.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { intentsCommand } from './intents.ts'
import { keysCommand } from './keys.ts'
import { loginCommand } from './login.ts'
import { logoutCommand } from './logout.ts'
import { openCommand } from './open.ts'
import { portfolioCommand } from './portfolio.ts'
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
import { restoreCommand } from './restore.ts'
import { sqlCommand } from './sql.ts'
import { whoamiCommand } from './whoami.ts'

/** Commands that are read together in the help. */
export interface Group {
  readonly title: string
  readonly commands: readonly (Command | Listed)[]
}

/** The backend's own flags are not known here: its line is handed on as it is. */
export const SERVE: Listed = {
  name: 'serve',
  summary: 'the backend in the foreground; its flags: augury serve --help',
  flags: {},
}

/** Every read that is described as data. */
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

const reading = (...reads: readonly Read[]): readonly Command[] => reads.map(readCommand)

/** Every command in the order of the help. */
export const GROUPS: readonly Group[] = [
  { title: 'The world', commands: [...reading(...WORLD_READS, QUERY), deltaCommand] },
  { title: 'Markets', commands: reading(...MARKET_LISTS, MARKET, CANDLES) },
  { title: 'What prices say', commands: reading(...OPPORTUNITIES, ...INDICES) },
  { title: 'Trading on paper', commands: [intentsCommand, portfolioCommand] },
  {
    title: 'You and your keys',
    commands: [
      ...[loginCommand, logoutCommand, whoamiCommand, keysCommand],
      ...[...reading(USAGE), configCommand],
    ],
  },
  {
    title: 'The service and its data folder',
    commands: [
      ...[SERVE, openCommand, importCommand, exportCommand, sqlCommand],
      ...[backtestCommand, backupCommand, restoreCommand, doctorCommand],
    ],
  },
  { title: 'The shell', commands: [completionCommand(() => LISTED)] },
]

export const LISTED: readonly Listed[] = GROUPS.flatMap(({ commands }) => commands)

/** The command of a name; null where there is none that runs here. */
export const commandOf = (name: string): Command | null =>
  LISTED.find((listed): listed is Command => listed.name === name && 'run' in listed) ?? null
