/**
 * Banks by their ABA routing number or SWIFT code: enough real ones for a sandbox to name the other side of a payment.
 * Both kinds of number are judged by their form, so one that is not in a table is still good; its bank has no name here.
 * Source: the directories that the Federal Reserve publishes of who takes part in FedACH and Fedwire; ISO 9362 for the
 * form of a SWIFT code; rows 95 and 160 of docs/fidelity.md.
 */

/** How a bank is named: by a routing number of the United States or by a SWIFT code. */
export const BANK_NUMBER_TYPES = ['aba', 'swift'] as const;
export type BankNumberType = (typeof BANK_NUMBER_TYPES)[number];

/** The ways of paying that the platform names where it tells of a bank. */
export const BANK_PAYMENT_METHODS = ['ach', 'wire'] as const;
export type BankPaymentMethod = (typeof BANK_PAYMENT_METHODS)[number];

/** What is known of a bank; what is not is `''`. */
export interface Bank {
  name: string;
  city: string;
  state: string;
  /** Two letters. */
  country: string;
  paymentMethods: readonly BankPaymentMethod[];
}

/** A bank of the United States: its numbers, and those of them that take ACH and no wires. */
interface Row {
  name: string;
  city: string;
  state: string;
  numbers: string;
  achOnly?: string;
}

const ROWS: readonly Row[] = [
  {
    name: 'JPMorgan Chase',
    city: 'New York',
    state: 'NY',
    numbers:
      '021000021 044000037 061092387 065400137 071000013 072000326 074000010 075000019 083000137 102001017 103000648 111000614 122100024 123271978 124001545 267084131 322271627 325070760',
    achOnly: '021100361 021202337 022300173 051900366',
  },
  {
    name: 'Bank of America',
    city: 'Charlotte',
    state: 'NC',
    numbers: '026009593 053000196 121000358',
    achOnly:
      '011000138 011200365 011400495 011500010 011900254 021000322 021200339 031202084 051000017 052001633 053904483 054001204 061000052 063100277 064000020 071000505 072000805 073000176 081000032 081904808 082000073 101100045 103000017 107000327 111000025 122000661 122101706 122400724 123103716 125000024 323070380',
  },
  {
    name: 'Wells Fargo',
    city: 'San Francisco',
    state: 'CA',
    numbers: '121000248',
    achOnly:
      '021200025 026012881 031000503 051400549 053000219 053207766 055003201 061000227 063107513 091000019 102000076 111900659 121042882 122000247 122105278 124002971 125008547',
  },
  {
    name: 'Citibank',
    city: 'New York',
    state: 'NY',
    numbers: '021000089 021001486 021272655 031100209 254070116 266086554 271070801 321171184 322271724',
  },
  {
    name: 'U.S. Bank',
    city: 'Minneapolis',
    state: 'MN',
    numbers:
      '042000013 064000059 071904779 073000545 075000022 081000210 082000549 083900363 091000022 101000187 102000021 104000029 107002312 121122676 122105155 122235821 123000220 123103729 125000105',
  },
  {
    name: 'PNC Bank',
    city: 'Pittsburgh',
    state: 'PA',
    numbers: '031000053 031207607 041000124 043000096 083000108',
    achOnly: '042000398 054000030 071921891 267084199',
  },
  {
    name: 'Truist Bank',
    city: 'Charlotte',
    state: 'NC',
    numbers: '051404260 051503394 053101121 055003308 061000104 263191387',
  },
  {
    name: 'TD Bank',
    city: 'Cherry Hill',
    state: 'NJ',
    numbers: '011103093 011600033 026013673 031201360 036001808 054001725 067014822',
  },
  {
    name: 'Capital One',
    city: 'McLean',
    state: 'VA',
    numbers: '031176110 051405515 056073502 065000090 111901014',
  },
  {
    name: 'Citizens Bank',
    city: 'Providence',
    state: 'RI',
    numbers: '011500120 021313103 031101143 036076150 241070417',
    achOnly: '011401533 211070175',
  },
  {
    name: 'Fifth Third Bank',
    city: 'Cincinnati',
    state: 'OH',
    numbers: '042000314',
    achOnly: '044002161 063109935 071923909',
  },
  { name: 'KeyBank', city: 'Cleveland', state: 'OH', numbers: '021300077 041001039 125000574' },
  { name: 'M&T Bank', city: 'Buffalo', state: 'NY', numbers: '022000046' },
  {
    name: 'Regions Bank',
    city: 'Birmingham',
    state: 'AL',
    numbers: '062000019 062005690',
    achOnly: '082000109',
  },
  { name: 'Huntington National Bank', city: 'Columbus', state: 'OH', numbers: '044000024' },
  { name: 'HSBC Bank USA', city: 'New York', state: 'NY', numbers: '021001088' },
  { name: 'Santander Bank', city: 'Boston', state: 'MA', numbers: '011075150 231372691' },
  { name: 'Bank of New York Mellon', city: 'New York', state: 'NY', numbers: '021000018 043000261' },
  { name: 'State Street Bank', city: 'Boston', state: 'MA', numbers: '011000028' },
  { name: 'Northern Trust', city: 'Chicago', state: 'IL', numbers: '071000152' },
  { name: 'Goldman Sachs Bank USA', city: 'Salt Lake City', state: 'UT', numbers: '124085260' },
  { name: 'Ally Bank', city: 'Fort Washington', state: 'PA', numbers: '124003116' },
  { name: 'Discover Bank', city: 'Greenwood', state: 'DE', numbers: '031100649' },
  {
    name: 'American Express National Bank',
    city: 'Salt Lake City',
    state: 'UT',
    numbers: '124071889 124085066',
  },
  { name: 'Charles Schwab Bank', city: 'Westlake', state: 'TX', numbers: '121202211' },
  { name: 'USAA Federal Savings Bank', city: 'San Antonio', state: 'TX', numbers: '314074269' },
  { name: 'Synchrony Bank', city: 'Draper', state: 'UT', numbers: '021213591' },
  { name: 'Comerica Bank', city: 'Dallas', state: 'TX', numbers: '072000096 111000753 121137522' },
  { name: 'Zions Bank', city: 'Salt Lake City', state: 'UT', numbers: '124000054' },
  { name: 'BMO', city: 'Chicago', state: 'IL', numbers: '071000288' },
  { name: 'First Citizens Bank', city: 'Raleigh', state: 'NC', numbers: '053100300' },
  { name: 'First Horizon Bank', city: 'Memphis', state: 'TN', numbers: '084000026' },
  { name: 'Frost Bank', city: 'San Antonio', state: 'TX', numbers: '114000093' },
  { name: 'East West Bank', city: 'Pasadena', state: 'CA', numbers: '322070381' },
  { name: 'City National Bank', city: 'Los Angeles', state: 'CA', numbers: '122016066' },
  { name: 'UMB Bank', city: 'Kansas City', state: 'MO', numbers: '101000695' },
  { name: 'First Hawaiian Bank', city: 'Honolulu', state: 'HI', numbers: '121301015' },
  { name: 'Bank of Hawaii', city: 'Honolulu', state: 'HI', numbers: '121301028' },
  { name: 'Evolve Bank & Trust', city: 'Memphis', state: 'TN', numbers: '084106768' },
  { name: 'ConnectOne Bank', city: 'Fort Lee', state: 'NJ', numbers: '021214189' },
  { name: 'Cross River Bank', city: 'Teaneck', state: 'NJ', numbers: '021214891' },
  { name: 'Sutton Bank', city: 'Attica', state: 'OH', numbers: '', achOnly: '041215663' },
  { name: 'The Bancorp Bank', city: 'Wilmington', state: 'DE', numbers: '', achOnly: '031101279' },
  { name: 'Green Dot Bank', city: 'Pasadena', state: 'CA', numbers: '', achOnly: '124303120' },
  { name: 'Axos Bank', city: 'San Diego', state: 'CA', numbers: '122287251' },
  { name: 'FirstBank', city: 'Lakewood', state: 'CO', numbers: '107005047' },
  { name: 'Blue Ridge Bank', city: 'Martinsville', state: 'VA', numbers: '051402372' },
  { name: 'Central National Bank & Trust', city: 'Enid', state: 'OK', numbers: '103100195' },
  { name: 'Navy Federal Credit Union', city: 'Vienna', state: 'VA', numbers: '256074974' },
  { name: 'Pentagon Federal Credit Union', city: 'McLean', state: 'VA', numbers: '256078446' },
  { name: "State Employees' Credit Union", city: 'Raleigh', state: 'NC', numbers: '253177049' },
  { name: 'Golden 1 Credit Union', city: 'Sacramento', state: 'CA', numbers: '321175261' },
  { name: 'BECU', city: 'Tukwila', state: 'WA', numbers: '325081403' },
  { name: 'Federal Reserve Bank of Boston', city: 'Boston', state: 'MA', numbers: '011000015' },
  { name: 'Federal Reserve Bank of New York', city: 'New York', state: 'NY', numbers: '021001208' },
];

/** The first four letters of a SWIFT code say whose it is; the next two, in which country. */
const SWIFT_BANKS: Readonly<Record<string, string>> = {
  ABNA: 'ABN AMRO',
  AGRI: 'Crédit Agricole',
  ANZB: 'ANZ',
  BARC: 'Barclays',
  BBDA: 'HSBC Bank Bermuda',
  BKCH: 'Bank of China',
  BNPA: 'BNP Paribas',
  BOFA: 'Bank of America',
  BOFM: 'BMO',
  BOTK: 'MUFG Bank',
  BSCH: 'Santander',
  CHAS: 'JPMorgan Chase',
  CITI: 'Citibank',
  COBA: 'Commerzbank',
  CTBA: 'Commonwealth Bank of Australia',
  DBSS: 'DBS Bank',
  DEUT: 'Deutsche Bank',
  HDFC: 'HDFC Bank',
  HSBC: 'HSBC',
  ICBK: 'Industrial and Commercial Bank of China',
  ICIC: 'ICICI Bank',
  INGB: 'ING',
  IRVT: 'Bank of New York Mellon',
  LOYD: 'Lloyds Bank',
  MHCB: 'Mizuho Bank',
  MIDL: 'HSBC',
  NATA: 'National Australia Bank',
  NDEA: 'Nordea',
  NOSC: 'Scotiabank',
  NWBK: 'NatWest',
  PNCC: 'PNC Bank',
  RABO: 'Rabobank',
  ROYC: 'Royal Bank of Canada',
  SBIN: 'State Bank of India',
  SBOS: 'State Street Bank',
  SCBL: 'Standard Chartered',
  SMBC: 'Sumitomo Mitsui Banking Corporation',
  SOGE: 'Société Générale',
  TDOM: 'Toronto-Dominion Bank',
  UBSW: 'UBS',
  UNCR: 'UniCredit',
  USBK: 'U.S. Bank',
  WFBI: 'Wells Fargo',
  WPAC: 'Westpac',
};

const BY_ROUTING_NUMBER: ReadonlyMap<string, Bank> = new Map(
  ROWS.flatMap(({ name, city, state, numbers, achOnly = '' }) => {
    const entries = (list: string, paymentMethods: Bank['paymentMethods']): [string, Bank][] =>
      list
        .split(' ')
        .filter((number) => number !== '')
        .map((number) => [number, { name, city, state, country: 'US', paymentMethods }]);
    return [...entries(numbers, ['ach', 'wire']), ...entries(achOnly, ['ach'])];
  }),
);

/** Every routing number of the table. */
export const KNOWN_ROUTING_NUMBERS: readonly string[] = [...BY_ROUTING_NUMBER.keys()];

const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1];
const SWIFT_CODE = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** True for nine digits whose ABA check digit fits. */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const sum = WEIGHTS.reduce((total, weight, place) => total + weight * Number(text[place]), 0);
  return sum > 0 && sum % 10 === 0;
}

/** True for 8 or 11 letters and digits of the form of ISO 9362, in capitals. */
export function isSwiftCode(text: string): boolean {
  return SWIFT_CODE.test(text);
}

/** The bank of a good routing number; one that is not in the table has no name and takes both ways. */
export function bankOfRoutingNumber(routingNumber: string): Bank {
  return (
    BY_ROUTING_NUMBER.get(routingNumber) ?? {
      name: '',
      city: '',
      state: '',
      country: 'US',
      paymentMethods: ['ach', 'wire'],
    }
  );
}

/** The bank of a good SWIFT code; it may have no name, and always has a country. */
export function bankOfSwiftCode(code: string): Bank {
  const letters = code.slice(0, 4);
  return {
    name: Object.hasOwn(SWIFT_BANKS, letters) ? (SWIFT_BANKS[letters] ?? '') : '',
    city: '',
    state: '',
    country: code.slice(4, 6),
    paymentMethods: ['wire'],
  };
}

/** The name of a routing number's bank, or `""` when it is not in the table. */
export function bankName(routingNumber: string): string {
  return bankOfRoutingNumber(routingNumber).name;
}
