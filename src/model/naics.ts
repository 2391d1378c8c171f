/**
 * Codes of the North American Industry Classification System (2022): every sector, and some industries that small
 * businesses name often, each with the national industries of it that they name. A business may carry any code of the
 * system; this list is for a client's menu.
 * Source: the classification of the United States Census Bureau; row 147 of docs/fidelity.md.
 */

interface Named {
  readonly code: number;
  readonly name: string;
}

interface Industry extends Named {
  /** Codes of six digits. */
  readonly nationalIndustries: readonly Named[];
}

/** A sector with its industries, whose codes have five digits. */
export interface Sector extends Named {
  readonly industries: readonly Industry[];
}

/** A sector that has several codes goes by its first; the last stands at the end. */
const SECTORS: readonly (readonly [code: number, name: string, last?: number])[] = [
  [11, 'Agriculture, Forestry, Fishing and Hunting'],
  [21, 'Mining, Quarrying, and Oil and Gas Extraction'],
  [22, 'Utilities'],
  [23, 'Construction'],
  [31, 'Manufacturing', 33],
  [42, 'Wholesale Trade'],
  [44, 'Retail Trade', 45],
  [48, 'Transportation and Warehousing', 49],
  [51, 'Information'],
  [52, 'Finance and Insurance'],
  [53, 'Real Estate and Rental and Leasing'],
  [54, 'Professional, Scientific, and Technical Services'],
  [55, 'Management of Companies and Enterprises'],
  [56, 'Administrative and Support and Waste Management and Remediation Services'],
  [61, 'Educational Services'],
  [62, 'Health Care and Social Assistance'],
  [71, 'Arts, Entertainment, and Recreation'],
  [72, 'Accommodation and Food Services'],
  [81, 'Other Services (except Public Administration)'],
  [92, 'Public Administration'],
];

/** One that is not divided further is one national industry of the same name, with a 0 behind its code. */
const INDUSTRIES: readonly (readonly [
  code: number,
  name: string,
  ...national: (readonly [code: number, name: string])[],
])[] = [
  [11199, 'All Other Crop Farming', [111998, 'All Other Miscellaneous Crop Farming']],
  [22111, 'Electric Power Generation', [221114, 'Solar Electric Power Generation']],
  [23611, 'Residential Building Construction', [236118, 'Residential Remodelers']],
  [23821, 'Electrical Contractors and Other Wiring Installation Contractors'],
  [23822, 'Plumbing, Heating, and Air-Conditioning Contractors'],
  [23832, 'Painting and Wall Covering Contractors'],
  [31181, 'Bread and Bakery Product Manufacturing', [311811, 'Retail Bakeries']],
  [31212, 'Breweries'],
  [33271, 'Machine Shops'],
  [42441, 'General Line Grocery Merchant Wholesalers'],
  [44111, 'New Car Dealers'],
  [45611, 'Pharmacies and Drug Retailers'],
  [45811, 'Clothing and Clothing Accessories Retailers'],
  [48411, 'General Freight Trucking, Local'],
  [48531, 'Taxi and Ridesharing Services'],
  [49211, 'Couriers and Express Delivery Services'],
  [49311, 'General Warehousing and Storage'],
  [51321, 'Software Publishers'],
  [52211, 'Commercial Banking'],
  [52232, 'Financial Transactions Processing, Reserve, and Clearinghouse Activities'],
  [52421, 'Insurance Agencies and Brokerages'],
  [53111, 'Lessors of Residential Buildings and Dwellings'],
  [53121, 'Offices of Real Estate Agents and Brokers'],
  [54111, 'Offices of Lawyers'],
  [
    54121,
    'Accounting, Tax Preparation, Bookkeeping, and Payroll Services',
    [541211, 'Offices of Certified Public Accountants'],
  ],
  [54131, 'Architectural Services'],
  [54133, 'Engineering Services'],
  [
    54151,
    'Computer Systems Design and Related Services',
    [541511, 'Custom Computer Programming Services'],
    [541512, 'Computer Systems Design Services'],
  ],
  [
    54161,
    'Management Consulting Services',
    [541611, 'Administrative Management and General Management Consulting Services'],
  ],
  [54181, 'Advertising Agencies'],
  [55111, 'Management of Companies and Enterprises', [551112, 'Offices of Other Holding Companies']],
  [56132, 'Temporary Help Services'],
  [56151, 'Travel Agencies'],
  [56172, 'Janitorial Services'],
  [56173, 'Landscaping Services'],
  [61111, 'Elementary and Secondary Schools'],
  [61169, 'All Other Schools and Instruction', [611691, 'Exam Preparation and Tutoring']],
  [62111, 'Offices of Physicians', [621111, 'Offices of Physicians (except Mental Health Specialists)']],
  [62121, 'Offices of Dentists'],
  [71394, 'Fitness and Recreational Sports Centers'],
  [72111, 'Hotels (except Casino Hotels) and Motels'],
  [
    72251,
    'Restaurants and Other Eating Places',
    [722511, 'Full-Service Restaurants'],
    [722513, 'Limited-Service Restaurants'],
  ],
  [
    81111,
    'Automotive Mechanical and Electrical Repair and Maintenance',
    [811111, 'General Automotive Repair'],
  ],
  [81211, 'Hair, Nail, and Skin Care Services', [812112, 'Beauty Salons']],
  [81341, 'Civic and Social Organizations'],
];

/** The first two digits of five. */
const PER_SECTOR = 1000;

function nationalOf([code, name, ...national]: (typeof INDUSTRIES)[number]): Named[] {
  if (national.length === 0) return [{ code: code * 10, name }];
  return national.map(([own, called]) => ({ code: own, name: called }));
}

export const NAICS: readonly Sector[] = SECTORS.map(([code, name, last = code]) => ({
  code,
  name,
  industries: INDUSTRIES.filter(([own]) => {
    const sector = Math.floor(own / PER_SECTOR);
    return sector >= code && sector <= last;
  }).map((row) => ({ code: row[0], name: row[1], nationalIndustries: nationalOf(row) })),
}));
