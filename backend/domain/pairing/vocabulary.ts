/** Words of venue titles that decide whether two questions are one. Folded text, whole words. */

/** A kind of thing that a text says, and how it says so. */
export interface Phrase {
  readonly id: string
  readonly pattern: RegExp
}

const phrases = (table: Readonly<Record<string, string>>): readonly Phrase[] =>
  Object.entries(table).map(([id, words]) => ({ id, pattern: new RegExp(`\\b(?:${words})`) }))

/** What has to happen. Two questions that each name one and share none settle on different things. */
export const ACTIONS = phrases({
  win: 'wins?\\b|winner|winning|won\\b|champions?\\b|beats?\\b|takes the|finish (?:first|1st)|control the',
  nominate: 'nominates?\\b|named as|be the new',
  nominee: 'nominee|nomination',
  endorse: 'endorse',
  visit: 'visits?\\b|travel to|enters?\\b',
  meet: 'meets?\\b|meeting between',
  talk: 'speaks?\\b|talks? (?:to|with)\\b|phones?\\b|calls with',
  say: 'says?\\b|mentions?\\b|tweets?\\b|posts?\\b',
  leave:
    'out\\b|leaves?\\b|resigns?\\b|step down|ousted|removed|fired|cease to be|no longer|departure',
  impeach: 'impeach',
  pardon: 'pardon',
  recognize: 'recogni[sz]e',
  normalize: 'normali[sz]e',
  strike: 'strikes?\\b|military action|bomb|attack',
  invade: 'invades?\\b|invasion|declare war',
  capture: 'captures?\\b|annex|takes? (?:back )?control of|take over',
  fall: 'falls?\\b|collapses?\\b|overthrown',
  test: '(?:nuclear|missile|weapons?) tests?\\b',
  ceasefire: 'cease-?fire|peace (?:deal|agreement)',
  agreement: 'agree(?:s|ment)?\\b|deal\\b|treaty',
  clash: 'clash|fighting',
  close: 'closes? (?:the )?strait',
  reopen: 're-?opens?\\b',
  election:
    'holds? (?:a|an) .{0,20}election|election (?:held|called)|snap election|election be called',
  ipo: 'ipo\\b|go public',
  acquire: 'acquir|merger|buys?\\b|bought',
  release: 'releases?d?\\b|launch(?:es|ed)?\\b|come out',
  approve: 'approve',
  convict: 'convict|guilty|sentenced|prison',
  confirm: 'confirmed\\b',
  airdrop: 'airdrop',
  cast: 'cast(?:ed)?\\b|perform as|play(?:s)? (?:the )?(?!off)|actor|james bond\\b',
  retire: 'retire',
  wedding: 'wedding|marry|married|groomsman|bridesmaid|engaged',
  pregnant: 'pregnan|baby',
  album: 'album|song\\b|movie|film\\b',
  seats: 'most seats|win a seat',
  qualify: 'qualif',
  relegate: 'relegat',
  promote: 'promoted',
  advance: 'advances?\\b|progress(?:es)? ',
  ban: 'bans?\\b',
  invoke: 'invokes?\\b',
  abolish: 'abolish|eliminat|repeal|end the\\b',
  cut: 'cuts?\\b|decreases?\\b|lowers?\\b',
  hike: 'hikes?\\b|increases?\\b|raises?\\b',
  maintain: 'maintain|no change|holds? rates|unchanged',
  default: 'defaults?\\b',
  shutdown: 'shutdown',
  appear: 'seen in public|public appearance',
  score: 'score\\b|goal ?scorer|goals\\b',
  draw: 'draw\\b|tie\\b',
})

/** Which part or statistic of a contest or release; one-sided mention already is another question. */
export const QUANTITIES = phrases({
  btts: 'both teams to score',
  exactScore: 'exact score',
  spread: 'spread\\b|handicap|wins by',
  total: 'o/u\\b|total (?:goals|points|sets|runs|games|maps)|games total|over/under',
  firstScorer: 'first goal ?scorer|first goal\\b',
  anyScorer: 'anytime goal ?scorer',
  topScorer: 'top goal ?scorer|golden boot',
  map: '(?:map|game|set) \\d+\\b',
  half: '(?:1st|2nd|first|second) half',
  toss: 'toss\\b',
  mvp: 'mvp\\b|most valuable',
  rookie: 'rookie',
  secondPlace: 'finish(?:es)? (?:2nd|second)|(?:2nd|second) place|runner-up',
  thirdPlace: '(?:3rd|third) place',
  lastPlace: 'last place',
  relegated: 'relegat',
  semifinal: 'semi-?finals?\\b',
  quarterfinal: 'quarter-?finals?\\b',
  round16: 'round of 16',
  round: '(?:1st|first|2nd|second) round',
  group: 'group [a-l]\\b|pool [a-l]\\b',
  conference: 'conference\\b',
  eastern: 'eastern\\b',
  western: 'western\\b',
  core: 'core\\b',
  nominee: 'nominee|nomination',
  qualify: 'qualif',
  draw: 'draw\\b|tie\\b',
  points: 'points o/u|rebounds|assists',
  marketCap: 'market cap|fdv\\b|valuation',
  volume: 'trading volume',
  primary: 'primary\\b',
  presidentialVote:
    '(?:hold|held|call|called) .{0,24}presidential election|presidential election (?:held|called)',
  women: "women(?:'s)?\\b",
  popularVote: 'popular vote',
  margin: 'margin of victory|(?:win|wins) .{0,60}\\bby (?:over|at least|between|more|less)',
  other:
    '(?:another|any other) (?:team|nation|party|person|country|candidate|player)|some(?:one|body) (?:else|other than)|the field\\b',
  t20: 't20\\b',
  regularSeason: 'regular season',
  final: 'finals? qualifiers|(?:make|reach|qualify for) .{0,30}\\bfinal\\b',
  stateTeam: 'state (?:be|win|wins|vs)\\b',
  aAndM: 'a&m',
  techTeam: 'tech (?:be|win|wins|vs)\\b',
  youngTeam: 'academy\\b|u-?(?:19|20|21|23)\\b|reserves\\b',
  endorse: 'endorse',
  first: 'first to\\b|\\bfirst\\?',
  next: 'next to\\b|next (?:\\w+ )?(?:out|leave)\\b|leaves? .{0,20}next\\b|meets? next\\b',
  part: '(?:any|at least|some) ?part of|\\bpart of\\b',
  occasion: 'during (?:the |an? |his |her )?(?!.{0,24}\\bterm\\b)',
  both: 'and\\b.{0,30}\\bboth\\b',
})

/** Over which span a change or a count is measured; only two different ones are different questions. */
export const SPANS = phrases({
  thisWeek: '(?:this|next) week',
  thisMonth: '(?:this|next) month',
  monthly: 'mom\\b|m/m|month[- ]over[- ]month|monthly',
  yearly: 'yoy\\b|y/y|year[- ]over[- ]year|12-month|annual',
  quarterly: 'qoq\\b|q/q|quarter[- ]over[- ]quarter',
})

/** Offices and bodies; a different one is a different question. */
export const OFFICES = phrases({
  president: '(?<!vice )president(?:ial|cy)?\\b',
  vicePresident: 'vice president',
  primeMinister: 'prime minister\\b|pm\\b',
  chancellor: 'chancellor',
  governor: 'governor(?:ship)?\\b|gubernatorial',
  senate: 'senate\\b|senator',
  house: 'the house\\b|house of representatives|d house|r house|congress(?:man|woman)\\b',
  chamber: 'chamber of',
  mayor: 'mayor',
  speaker: 'speaker',
  fedChair: 'fed(?:eral reserve)? chair|chair of the fed',
  fedGovernor: 'fed governor|board of governors',
  supremeLeader: 'supreme leader',
  pope: 'pope\\b',
  defense: 'secretary of defense|defense secretary',
  state: 'secretary of state',
  homeland: 'homeland security|dhs\\b',
  treasury: 'treasury secretary|secretary of the treasury',
  attorney: 'attorney general',
  cabinet: 'cabinet',
  court: 'supreme court|scotus',
  pressSecretary: 'press secretary',
})

/** Clauses of rules by which somebody leaves an office, or does not. */
export const DEPARTURE_CLAUSES = phrases({
  deathLeftOut:
    'death (?:does|do|will|shall) not|(?:result|because|by reason) of (?:their |his |her )?death (?:is|are|does|do|will) not|leaves? solely because (?:they|he|she)',
  detention: 'prevented from fulfilling|(?:is|are|or) (?:otherwise )?(?:dismissed, )?detained',
  announcement:
    'announce(?:s|d|ment)\\b.{0,80}\\b(?:resign|resignation|removal|leave|leaving|departing|departure|depart|step(?:s|ping)? down)\\b|announced their intention to leave',
})

/** Where the deciding number or word is read. */
export const SOURCES = phrases({
  coinbase: 'coinbase',
  binance: 'binance',
  kraken: 'kraken(?! ipo)',
  cme: 'cme\\b',
  cfBenchmarks: 'cf benchmarks|brti\\b',
  chainlink: 'chainlink',
  pyth: 'pyth\\b',
  billboard: 'billboard',
  spotify: 'spotify',
  rottenTomatoes: 'rotten tomatoes',
  wunderground: 'wunderground|weather underground',
  weatherService: 'national weather service|nws\\b',
})

/** Capitalised words of titles that name nothing by themselves. */
export const NO_NAMES: ReadonlySet<string> = new Set(
  (
    'will who what when where which how the a an in on by before after during at of for to and or no yes any is ' +
    'are do does next first new out win wins winner winners champion champions championship league cup world final ' +
    'finals series season award player people person party election elections presidential president nominee ' +
    'nomination primary general senate house governor governorship race speaker prime minister secretary state ' +
    'chair chairman general leader supreme market cap price high low over under above below ' +
    'between rate rates meeting decision release released date jan feb mar apr may jun jul aug sep oct nov dec ' +
    'january february march april june july august september october november december monday tuesday wednesday ' +
    'thursday friday saturday sunday et est utc am pm q1 q2 q3 q4 mens men s year month week day today game match ' +
    'map set group pool round top team teams goal goals goalscorer both score exact spread total points tournament ' +
    'end start us u united states america american fifa icc nba nfl nhl mlb epl uefa efl ufc lol f1 icc pro ' +
    'football basketball hockey baseball soccer women womens winner? ipo fdv ceo inc corp company fc cf afc sc world leaders more another any major when whether'
  ).split(' '),
)

/** Names written in several ways, by term. */
export const NAME_ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    man: 'manchest',
    utd: 'unit',
    psg: 'pari',
    okc: 'oklahoma',
    la: 'lo',
    ny: 'york',
    nyc: 'york',
    curacao: 'curacao',
    drc: 'congo',
    czechia: 'czech',
    turkiy: 'turkei',
    cote: 'ivori',
    ivoir: 'ivori',
    musk: 'musk',
    zelenskyi: 'zelenski',
    openai: 'openai',
  }),
)

/** Spellings that a title's text is brought to before it is read. */
export const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\bopen ai\b/g, 'openai'],
  [/\bu\.?s\.?a?\.(?=\W|$)/g, 'us'],
  [/\bu\.k\.(?=\W|$)/g, 'uk'],
  [/\bir iran\b/g, 'iran'],
  [/\bira(?:nian|nians)\b/g, 'iran'],
  [/\brussians?\b/g, 'russia'],
  [/\bukrainians?\b/g, 'ukraine'],
  [/\bisraelis?\b/g, 'israel'],
  [/\bchinese\b/g, 'china'],
  [/\bcolombians?\b/g, 'colombia'],
  [/\bbrazilians?\b/g, 'brazil'],
  [/\bmexicans?\b/g, 'mexico'],
  [/\bhungarians?\b/g, 'hungary'],
  [/\bcanadians?\b/g, 'canada'],
  [/\bgermans?\b/g, 'germany'],
  [/\bjapanese\b/g, 'japan'],
  [/\bnorth koreans?\b/g, 'north korea'],
  [/\bsouth koreans?\b/g, 'south korea'],
  [/\bstate department\b/g, 'us state department'],
  [/(?<!\bwill|\bthe|\bat|\bvs\.?|\bin)(\s)st\.(?=\s|$)/g, '$1state'],
  [/(\d(?:[\d,.]*\d)?)\s+(million|billion|trillion|thousand)\b/g, '$1$2'],
  [/(\d)million\b/g, '$1m'],
  [/(\d)billion\b/g, '$1b'],
  [/(\d)trillion\b/g, '$1t'],
  [/(\d)thousand\b/g, '$1k'],
  [/(\d)\s*(?:bps?|basis points?)\b/g, '$1 bps'],
  // A season is named by the year it ends in.
  [/\b(20\d\d)\s*[-–/]\s*(?:20)?(\d\d)\b(?!-)/g, '20$2'],
]
