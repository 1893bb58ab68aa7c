//! The arguments about resolving references.

use rehref::uri::{AboveRoot, Profile, Resolver, SameScheme};

use super::values::one_of;
use crate::heading;

/// The algorithm by which references are resolved.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = heading::BASE)]
pub(crate) struct ProfileArgs {
    /// Resolve by the algorithm of this specification
    #[arg(long, value_name = "NAME", hide_short_help = true, default_value = "rfc3986",
        value_parser = one_of(Profile::ALL, Profile::as_str))]
    profile: Profile,
}

/// The options of resolving, with the choices of the specifications.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = heading::BASE)]
pub(crate) struct ResolvingArgs {
    #[command(flatten)]
    algorithm: ProfileArgs,
    /// Retain, remove or avoid `..` above the root
    ///
    /// This has an effect where the profile leaves the choice.
    #[arg(long, value_name = "HOW", hide_short_help = true, default_value = "retain",
        value_parser = one_of(AboveRoot::ALL, AboveRoot::as_str))]
    above_root: AboveRoot,
    /// Read a reference with the scheme of the base as absolute (strict) or relative (compat)
    ///
    /// This has an effect where the profile leaves the choice.
    #[arg(long, value_name = "HOW", hide_short_help = true, default_value = "strict",
        value_parser = one_of(SameScheme::ALL, SameScheme::as_str))]
    same_scheme: SameScheme,
}

impl ProfileArgs {
    pub(crate) fn resolver(self) -> Resolver {
        Resolver { profile: self.profile, ..Resolver::default() }
    }
}

impl ResolvingArgs {
    pub(crate) fn resolver(self) -> Resolver {
        Resolver {
            above_root: self.above_root,
            same_scheme: self.same_scheme,
            ..self.algorithm.resolver()
        }
    }
}
