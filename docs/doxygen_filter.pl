# What Doxygen reads in place of a file: perl -0777 -p. Lines keep their numbers.
# SPDX-License-Identifier: MIT
use strict;

my $type = qr/ *(?:(?:static|inline|constexpr) )*[\w:<>]+(?: const)?[*&]? /;
my $variable = qr/\w+(?:\[\w+\])?(?: = [^,;(){}]+|\{[^{}]*\})?/;
my $variables = qr/$variable(?:, $variable)+/;

sub lines { "\n" x ($_[0] =~ tr/\n//) }
sub declarations { my ($type, $variables) = @_; map { "$type$_;" } $variables =~ /$variable/g }
sub text { $_[0] =~ s/^ *\/\/\/ ?//gmr =~ s/\n/ /gr }

# It takes explicit instantiations and deduction guides for functions without a comment.
s/^extern template [^;]*;/lines($&)/gem;
s/^(template <.*>[ \n])?\w+\([^;\n]*\)\s+-> [^;]*;/lines($&)/gem;
# Of a declaration of several variables it documents one; here each has the comment, which follows or precedes them.
s{^($type)($variables); *///< (.*)$}{join " ", map { "$_ /**< $3 */" } declarations($1, $2)}gem;
s{((?:^ *///(?!<).*\n)+)^($type)($variables);$}{$1 . join " /** " . text($1) . "*/ ", declarations($2, $3)}gem;
# Links of README.md to other documents, which are not among the pages.
s/\[([^\]]*)\]\((?!\w+:)[^)]*\)/$1/g if $ARGV =~ /\.md$/;
