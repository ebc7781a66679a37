import { weekly } from './cadence.ts'
import { fieldQuestions } from './questions.ts'
import type { Subject, Template } from './template.ts'

const NFL =
  'Bills Chiefs Eagles Lions Ravens Cowboys Packers Bengals Dolphins Rams Steelers Broncos'.split(
    ' ',
  )
const NBA = 'Lakers Celtics Thunder Nuggets Knicks Warriors Bucks Heat Spurs Cavaliers'.split(' ')
const CLUBS = 'Arsenal Chelsea Liverpool Everton Tottenham Newcastle Brighton Fulham'.split(' ')

/** Round-robin meetings of the teams as subjects. */
const meetings = (league: string, teams: readonly string[]): Subject[] =>
  teams.map((home, i) => {
    const awayTeam = teams[(i + 3) % teams.length] ?? home
    return { code: `${league}GAME`, name: `${awayTeam} at ${home}`, field: [awayTeam, home] }
  })

const game = (
  league: string,
  full: string,
  weekday: number,
  hour: number,
  teams: readonly string[],
  interest: number,
): Template => ({
  name: `${league.toLowerCase()}-game`,
  theme: `sport-${league}`,
  factorSign: 1,
  topics: [],
  listing: 'both',
  interest,
  series: {
    ticker: 'KX{code}',
    title: `${full} game`,
    category: 'Sports',
    frequency: 'custom',
    tags: [full, 'Games'],
    source: { name: full, url: 'https://www.espn.com' },
  },
  tags: ['Sports', full, 'Games'],
  cadence: weekly(weekday, hour, 6),
  subjects: meetings(league, teams),
  shape: { kind: 'game' },
  titleA: (s) => `${s.name} Winner?`,
  titleB: (s) => s.name.split(' at ').join(' vs. '),
  questionB: (s) => s.name.split(' at ').join(' vs. '),
  clause: (s, d, c) =>
    `${c.label} wins the ${s.name} professional ${full} game originally scheduled for ${d.short}`,
  noteA:
    'If the game is postponed and not played within two weeks, the market resolves to a fair market price. A tie resolves to 50 cents a side.',
  noteB:
    'If the game is postponed, this market will remain open until the game has been completed. If the game is cancelled entirely, with no make-up game, this market will resolve 50-50.',
  notesDiffer: true,
})

const champions = (name: string, code: string, field: readonly string[]): Subject => ({
  code,
  name,
  field,
})

export const SPORTS: readonly Template[] = [
  game('NFL', 'Pro Football', 1, 1, NFL, 1.8),
  game('NBA', 'Pro Basketball', 4, 3, NBA, 1.2),
  game('EPL', 'Premier League', 6, 18, CLUBS, 0.9),
  fieldQuestions(
    {
      name: 'champion',
      theme: 'sport-season',
      factorSign: 1,
      topics: [],
      category: 'Sports',
      tags: ['Sports', 'Futures'],
      cadence: { every: 'quarter', hour: 29, life: 160 },
      listing: 'both',
      interest: 2,
      source: { name: 'ESPN', url: 'https://www.espn.com' },
      subjects: [
        champions('Who leads the Pro Football standings', 'SB', NFL),
        champions('Who leads the Pro Basketball standings', 'NBA', NBA),
        champions('Who leads the Premier League table', 'EPL', CLUBS),
        champions('Who leads the Formula 1 drivers', 'F1', [
          'Lando Norris',
          'Max Verstappen',
          'Oscar Piastri',
          'Charles Leclerc',
          'George Russell',
          'Lewis Hamilton',
        ]),
        champions('Who is ranked first in tennis', 'ATP', [
          'Carlos Alcaraz',
          'Jannik Sinner',
          'Novak Djokovic',
          'Alexander Zverev',
          'Taylor Fritz',
        ]),
      ],
      noteA: 'The table published by the league at the end of the day decides.',
      noteB: 'Ties are resolved by the official tie-breakers of the league.',
    },
    true,
  ),
]
